import { Injectable } from '@nestjs/common';
import { evmChain } from '../chains/evm/evm-chain';
import { EndpointError, type EndpointFailure } from '../chains/rpc/endpoint-error';
import { inParallel } from '../chains/rpc/in-parallel';
import { RpcEndpoint } from '../chains/rpc/rpc-endpoint';
import { httpTransport } from '../chains/rpc/rpc-transport';
import { maskUrl } from '../common/validation/http-url';
import type { RpcUrl } from '../networks/rpc-urls';
import { NetworksService } from '../networks/networks.service';
import { OutboundHttp } from '../outbound/outbound-http';
import { sendsPrivately } from '../relayers/policies/private-transactions';
import { RelayersService } from '../relayers/relayers.service';
import { type Finding, ok, problem, warning } from './finding';
import { firstRows } from './first-rows';

const CHECK = 'endpoints';
/** Shorter than the service's own timeout, because there may be many endpoints. */
const TIMEOUT_MS = 5_000;
const AT_ONCE = 8;

const ADVICE: Record<EndpointFailure, string> = {
  refused: 'The address is private or not HTTPS: name it in OUTBOUND_ALLOW, or correct the URL.',
  dns: 'The host has no address: correct the URL of the network, or the name service of this machine.',
  connection:
    'Nothing responds there: correct the URL, or let a firewall or NetworkPolicy pass the connection.',
  cut_off: 'The server responds, but not as a node: correct the URL.',
  tls: 'The certificate was not accepted: correct the URL, or name a private authority in NODE_EXTRA_CA_CERTS.',
  timeout:
    'Nothing responds in time: let a firewall or NetworkPolicy pass the connection, or replace the URL.',
  rate_limited: 'The provider refuses more requests for now: check your plan with it.',
  rejected: 'The provider does not accept the key or path: correct the URL of the network or relayer.',
  http: 'The server responds, but not as a node: correct the URL.',
  malformed: 'The server responds, but not as a node: correct the URL.',
  too_large: 'The server responds, but not as a node: correct the URL.',
  overloaded: 'Run npm run doctor again while less is going on.',
  wrong_chain: 'Correct the URL or the chain_id of the network: nothing is sent to such an endpoint.',
  interrupted: 'Run npm run doctor again.',
  node: 'The node responds with errors: check its log, or ask its provider.',
};

/** For an endpoint that is called with only two methods, and may not know any other. */
const PRIVATE_ADVICE: Partial<Record<EndpointFailure, string>> = {
  malformed: 'A private endpoint must respond to eth_chainId too: nothing is sent to an unknown chain.',
};

interface Endpoint {
  network: string;
  chainId: string;
  url: string;
  /** Whether it is one of `private_rpc_urls`. */
  isPrivate: boolean;
  /** The lists of endpoints that it is in: that of the network, and those of relayers with their own. */
  lists: Set<string>;
}

interface Response {
  endpoint: Endpoint;
  failure?: EndpointError;
}

/**
 * Checks the chain id of the endpoints of all networks that relayers use, of the relayers' own endpoints, and of the
 * private endpoints of networks whose relayers send privately.
 */
@Injectable()
export class EndpointsCheck {
  constructor(
    private readonly networks: NetworksService,
    private readonly relayers: RelayersService,
    private readonly http: OutboundHttp,
  ) {}

  async run(): Promise<Finding[]> {
    const endpoints = await this.endpoints();
    if (endpoints.length === 0) return [ok(CHECK, 'no relayer calls a chain')];
    const asked = await inParallel(endpoints, AT_ONCE, (endpoint) => this.ask(endpoint));
    const served = new Set(
      asked.filter(({ failure }) => !failure).flatMap(({ endpoint }) => [...endpoint.lists]),
    );
    return asked.map((response) =>
      findingOf(
        response,
        [...response.endpoint.lists].every((list) => served.has(list)),
      ),
    );
  }

  private async endpoints(): Promise<Endpoint[]> {
    const found = new Map<string, Endpoint>();
    for (const relayer of await firstRows((query) => this.relayers.list(query))) {
      if (relayer.networkType !== 'evm') continue;
      const network = await this.networks.getByNameOrThrow(relayer.network, relayer.networkType);
      const { name, chainId } = network;
      if (chainId === null) continue;
      const own = this.relayers.rpcUrlsOf(relayer);
      const urls = own && own.length > 0 ? own : this.networks.rpcUrlsOf(network);
      add(found, { network: name, chainId, isPrivate: false }, urls);
      if (sendsPrivately(relayer.policies))
        add(found, { network: name, chainId, isPrivate: true }, this.networks.privateRpcUrlsOf(network));
    }
    return [...found.values()];
  }

  private async ask(endpoint: Endpoint): Promise<Response> {
    const { url, chainId } = endpoint;
    const transport = httpTransport(this.http, { timeoutMs: TIMEOUT_MS });
    try {
      await new RpcEndpoint(url, evmChain(BigInt(chainId)), transport, () => performance.now()).verify();
      return { endpoint };
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error;
      return { endpoint, failure: error };
    }
  }
}

/** Adds the endpoints that the service calls: those with a weight of 0 are not. */
function add(
  found: Map<string, Endpoint>,
  use: Pick<Endpoint, 'network' | 'chainId' | 'isPrivate'>,
  urls: RpcUrl[],
): void {
  const callable = urls.filter(({ weight }) => weight > 0).map(({ url }) => url);
  const list = JSON.stringify([use.network, use.isPrivate, ...callable]);
  for (const url of callable) {
    const key = JSON.stringify([use.chainId, use.isPrivate, url]);
    const lists = found.get(key)?.lists ?? new Set<string>();
    lists.add(list);
    found.set(key, { ...use, url, lists });
  }
}

/**
 * @param isServed whether every relayer that uses the endpoint has another one, so that one that does not respond does
 * no harm
 */
function findingOf({ endpoint, failure }: Response, isServed: boolean): Finding {
  const { url, network, chainId, isPrivate } = endpoint;
  const label = `${isPrivate ? 'private endpoint ' : ''}${maskUrl(url)} of network ${network}`;
  if (!failure) return ok(CHECK, `${label} serves chain ${chainId}`);
  const isWrong = failure.failure === 'wrong_chain';
  const cause = isWrong ? `${failure.message}, not ${chainId}` : failure.failure;
  const report = isServed && !isWrong ? warning : problem;
  const advice = isPrivate ? PRIVATE_ADVICE[failure.failure] : undefined;
  return report(CHECK, `${label}: ${cause}`, advice ?? ADVICE[failure.failure]);
}
