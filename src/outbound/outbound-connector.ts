import { isIP, isIPv6, type LookupFunction, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Inject, Injectable } from '@nestjs/common';
import { buildConnector } from 'undici';
import { isSameAddress, parseIpAddress } from '../common/net/ip-address';
import { type Lookup, MAX_ADDRESSES, OUTBOUND_LOOKUP } from './lookup';
import { OutboundError } from './outbound-error';
import { OutboundGuard } from './outbound-guard';
import { type Destination, connectFailure, failure } from './destination';

/**
 * Time for an attempt to connect to an address, if its name has more. Within it, a lost packet is sent again (after 1 s),
 * and the event loop may be busy. @limit Outgoing calls
 */
const ATTEMPT_MS = 2_000;

/** Opens connections only to addresses that the guard has approved. Names are resolved here, and only once. */
@Injectable()
export class OutboundConnector {
  constructor(
    private readonly guard: OutboundGuard,
    @Inject(OUTBOUND_LOOKUP) private readonly lookup: Lookup,
  ) {}

  /**
   * @param signal aborts the attempt; its reason is the error
   * @throws OutboundError `refused`, `dns`, `connection`, `tls`, or the signal's reason
   */
  async connect(to: Destination, signal: AbortSignal): Promise<Socket> {
    // Node calls the lookup only for names, so literal addresses are checked here.
    const refusal = this.guard.refusalOfHost(to);
    if (refusal !== undefined) throw failure('refused', to, refusal);
    const approved = isIP(to.hostname) === 0 ? [] : [to.hostname];
    const socket = await this.open(to, signal, async () => {
      approved.push(...(await this.resolve(to)));
      return approved;
    });
    // The remote address is missing if the peer has already broken the connection; that does not mean that the address
    // was not approved.
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      throw failure('connection', to, 'broke the connection');
    }
    const remote = parseIpAddress(socket.remoteAddress);
    const wasChecked = approved.some((address) => {
      const checked = parseIpAddress(address);
      return remote && checked && isSameAddress(remote, checked);
    });
    if (wasChecked) return socket;
    socket.destroy();
    throw failure('refused', to, 'is connected to another address than the one that was checked');
  }

  /** TLS options in addition to the server name. */
  protected tlsOptions(): ConnectionOptions {
    return {};
  }

  /** The first addresses of a name. @throws OutboundError `dns`, or `refused` if the guard refuses any of them */
  private async resolve(to: Destination): Promise<string[]> {
    const addresses = (await this.lookup(to.hostname, to).catch(() => [])).slice(0, MAX_ADDRESSES);
    if (addresses.length === 0) throw failure('dns', to, 'cannot be resolved');
    for (const address of addresses) {
      const refusal = this.guard.refusalOfAddress(address, to);
      if (refusal !== undefined) throw failure('refused', to, refusal);
    }
    return addresses;
  }

  private open(to: Destination, signal: AbortSignal, resolveName: () => Promise<string[]>): Promise<Socket> {
    // The signal ends the last attempt, so undici's own timeout is disabled. TLS sessions are not shared between
    // destinations.
    const connector = buildConnector({
      // Otherwise NODE_TLS_REJECT_UNAUTHORIZED decides.
      rejectUnauthorized: true,
      ...this.tlsOptions(),
      lookup: lookupBy(resolveName),
      signal,
      timeout: 0,
      autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
      maxCachedSessions: 0,
    });
    const target = {
      hostname: to.hostname,
      port: String(to.port),
      protocol: to.secure ? 'https:' : 'http:',
      servername: serverName(to.hostname),
    };
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as OutboundError);
        return;
      }
      connector(target, (error, socket) => {
        if (socket) resolve(socket);
        else reject(signal.aborted ? (signal.reason as OutboundError) : explained(to, error));
      });
    });
  }
}

/** Adapts a lookup to the callback interface of Node's sockets. */
function lookupBy(resolveName: () => Promise<string[]>): LookupFunction {
  return (_hostname, options, callback) => {
    resolveName().then(
      (addresses) => {
        const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
        const [first] = all;
        if (options.all || !first) callback(null, all);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as Error, []),
    );
  };
}

function explained(to: Destination, error: Error | null): OutboundError {
  return error instanceof OutboundError ? error : connectFailure(to, error);
}

/** SNI (RFC 6066) contains only names, without a trailing dot. */
function serverName(hostname: string): string {
  return isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '';
}
