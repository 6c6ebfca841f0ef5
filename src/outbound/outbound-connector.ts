import { connect as connectTcp, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { Inject, Injectable } from '@nestjs/common';
import { isSameAddress, parseIpAddress } from '../common/net/ip-address';
import { type Lookup, OUTBOUND_LOOKUP } from './lookup';
import type { OutboundError } from './outbound-error';
import { literalAddress, OutboundGuard } from './outbound-guard';
import { type Destination, connectFailure, failure } from './destination';

/** Opens connections, and only to addresses that the guard has seen: a name is resolved once, here. */
@Injectable()
export class OutboundConnector {
  constructor(
    private readonly guard: OutboundGuard,
    @Inject(OUTBOUND_LOOKUP) private readonly lookup: Lookup,
  ) {}

  /**
   * @param signal ends the attempt; its reason is the error
   * @throws OutboundError `refused`, `dns`, `connection`, `tls`, or the signal's reason
   */
  async connect(to: Destination, signal: AbortSignal): Promise<Socket> {
    const addresses = await ended(this.addressesOf(to), signal);
    const socket = await this.open(to, addresses, signal);
    // A peer that broke the connection meanwhile has left no address, which says nothing against the one it had.
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      throw failure('connection', to, 'broke the connection');
    }
    const remote = parseIpAddress(socket.remoteAddress);
    const wasChecked = addresses.some((address) => {
      const checked = parseIpAddress(address);
      return remote && checked && isSameAddress(remote, checked);
    });
    if (wasChecked) return socket;
    socket.destroy();
    throw failure('refused', to, 'is connected to another address than the one that was checked');
  }

  /** What connections over TLS are made with beside the name. */
  protected tlsOptions(): ConnectionOptions {
    return {};
  }

  private async addressesOf(to: Destination): Promise<string[]> {
    const { hostname } = to;
    const refusal = this.guard.refusalOfHost(to);
    if (refusal !== undefined) throw failure('refused', to, refusal);
    const addresses = literalAddress(hostname) === undefined ? await this.resolve(to) : [hostname];
    for (const address of addresses) {
      const refused = this.guard.refusalOfAddress(address, to);
      if (refused !== undefined) throw failure('refused', to, refused);
    }
    return addresses;
  }

  private async resolve(to: Destination): Promise<string[]> {
    const addresses = await this.lookup(to.hostname).catch(() => []);
    if (addresses.length === 0) throw failure('dns', to, 'cannot be resolved');
    return addresses;
  }

  private open(to: Destination, addresses: string[], signal: AbortSignal): Promise<Socket> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as OutboundError);
        return;
      }
      const target = { host: to.hostname, port: to.port, lookup: fixedLookup(addresses), noDelay: true };
      const socket = to.secure
        ? connectTls({
            ...target,
            ...this.tlsOptions(),
            ...serverName(to.hostname),
            ALPNProtocols: ['http/1.1'],
          })
        : connectTcp(target);
      // For as long as it lives: a peer can break it at any moment, also when nobody else listens yet.
      socket.on('error', ignore);
      const settle = (done: () => void) => {
        signal.removeEventListener('abort', onAbort);
        socket.off('error', onError);
        done();
      };
      const onAbort = () => {
        settle(() => {
          socket.on('error', ignore).destroy();
          reject(signal.reason as OutboundError);
        });
      };
      const onError = (error: Error) => {
        settle(() => {
          socket.on('error', ignore).destroy();
          reject(connectFailure(to, error));
        });
      };
      signal.addEventListener('abort', onAbort, { once: true });
      socket.on('error', onError).once(to.secure ? 'secureConnect' : 'connect', () => {
        settle(() => {
          resolve(socket.setKeepAlive(true, 60_000));
        });
      });
    });
  }
}

/** Answers with what was checked, so that nothing is resolved a second time. */
function fixedLookup(addresses: string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_hostname, options, callback) => {
    const [first] = all;
    if (options.all || !first) callback(null, all);
    else callback(null, first.address, first.family);
  };
}

/** SNI (RFC 6066) has names only, and no dot at the end. */
function serverName(hostname: string): Pick<ConnectionOptions, 'servername'> {
  return literalAddress(hostname) === undefined ? { servername: hostname.replace(/\.$/, '') } : {};
}

function ended<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason as OutboundError);
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort);
    });
  });
}

function ignore(): void {
  // A socket that is given up may still report why.
}
