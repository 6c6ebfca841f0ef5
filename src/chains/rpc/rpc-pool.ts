import { setTimeout as sleep } from 'node:timers/promises';
import { outsideRequests } from '../../common/http/request-context';
import { EndpointError, type EndpointFailure, RpcUnavailableError } from './endpoint-error';
import type { InternalCall } from './internal-call';
import type { JsonRpcResponse, JsonRpcCall } from './json-rpc';
import type { EndpointResponse, RpcEndpoint } from './rpc-endpoint';
import type { NodeResponse } from './response/node-response';
import { SharedResponse } from './response/shared-response';

/** Calls that one pool has under way; the next one is refused rather than kept waiting. */
const MAX_IN_FLIGHT = 1024;
/** A pool that failed as a whole is asked a second time, after a pause of up to this. */
const SECOND_ROUND_MS = 300;
/** No further endpoint is asked after this long. Two may take all of their time-outs, and a third can still answer. */
const PATIENCE_MS = 25_000;
/** Asking again would cost the caller another time-out, or the endpoint has said that it will not do. */
const FINAL: ReadonlySet<EndpointFailure> = new Set(['timeout', 'refused', 'rejected', 'wrong_chain', 'tls']);

/** An endpoint and its share of the calls, 1 to 100. */
export interface WeightedEndpoint {
  endpoint: RpcEndpoint;
  weight: number;
}

export interface PoolEvents {
  /** A call went on to another endpoint. */
  failedOver?: () => void;
}

type Ask<T> = (endpoint: RpcEndpoint) => Promise<EndpointResponse<T>>;

/**
 * The endpoints of one chain, as a network or a relayer has them, behind one call. A call goes to a ready endpoint, chosen by weight,
 * and on to the next when that fails. Resting endpoints are probed on the side; where all rest, the one that rested
 * longest is tried.
 */
export class RpcPool {
  private inFlight = 0;
  private readonly shared = new Map<string, SharedResponse>();

  constructor(
    readonly members: readonly WeightedEndpoint[],
    private readonly events: PoolEvents = {},
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * Passes a call to a node and its response back in the bytes in which it was received; equal reads that are under way
   * together are one call and share these bytes.
   *
   * @param maxBytes of the body of a response; an endpoint that responds with more has failed
   * @throws RpcUnavailableError when no endpoint answers
   */
  forward(call: JsonRpcCall, maxBytes: number): Promise<NodeResponse> {
    const ask = (): Promise<NodeResponse> =>
      this.admit((endpoint: RpcEndpoint) => endpoint.forward(call, maxBytes));
    if (!this.members[0]?.endpoint.chain.isSharedRead(call.method)) return ask();
    const key = JSON.stringify([call.method, call.params, maxBytes]);
    const underWay = this.shared.get(key);
    if (underWay) return underWay.join();
    // Whoever began it may go while others wait for it.
    const shared = new SharedResponse(outsideRequests(ask), () => this.shared.delete(key));
    this.shared.set(key, shared);
    return shared.join();
  }

  /**
   * Makes a call of the service's own, whose response has a known form: an endpoint whose response does not have it has
   * failed.
   *
   * @param parse throws MalformedResponseError
   * @throws RpcUnavailableError
   */
  read<T>(call: InternalCall, parse: (answer: JsonRpcResponse) => T): Promise<T> {
    return this.admit((endpoint) => endpoint.call(call, parse));
  }

  private async admit<T>(ask: Ask<T>): Promise<T> {
    if (this.inFlight >= MAX_IN_FLIGHT) throw new RpcUnavailableError('overloaded');
    this.inFlight += 1;
    try {
      return await this.inRounds(ask);
    } finally {
      this.inFlight -= 1;
    }
  }

  /**
   * Asks each endpoint for its chain whose last answer is older than this, and one that rests where no other is well.
   * True where an endpoint is ready then.
   */
  async verify(olderThanMs: number): Promise<boolean> {
    await Promise.allSettled(this.members.map(({ endpoint }) => endpoint.verifyAfter(olderThanMs)));
    return this.members.some(({ endpoint }) => endpoint.isReady) || isWell(await this.awaken(new Set()));
  }

  private async inRounds<T>(ask: Ask<T>): Promise<T> {
    const first = await this.round(ask);
    if (!(first instanceof EndpointError)) return first.value;
    if (FINAL.has(first.failure)) throw new RpcUnavailableError(first.failure);
    await sleep(this.random() * SECOND_ROUND_MS);
    const second = await this.round(ask);
    if (second instanceof EndpointError) throw new RpcUnavailableError(second.failure);
    return second.value;
  }

  /** Asks ready endpoints one after the other, and one of those that rest when none is left. */
  private async round<T>(ask: Ask<T>): Promise<EndpointResponse<T> | EndpointError> {
    const tried = new Set<RpcEndpoint>();
    let fallback: EndpointResponse<T> | undefined;
    let failure = new EndpointError('connection', 'There is no endpoint');
    const attempt = async (endpoint: RpcEndpoint): Promise<EndpointResponse<T> | undefined> => {
      if (tried.size > 0) this.events.failedOver?.();
      tried.add(endpoint);
      try {
        const answer = await ask(endpoint);
        // What only this node could not answer is kept in case nobody can.
        if (answer.elsewhere) fallback ??= answer;
        return answer.elsewhere ? undefined : answer;
      } catch (error) {
        if (!(error instanceof EndpointError)) throw error;
        failure = error;
        return undefined;
      }
    };
    const end = performance.now() + PATIENCE_MS;
    while (performance.now() < end) {
      const endpoint = this.chooseReady(tried) ?? (fallback ? undefined : await this.awaken(tried));
      if (endpoint instanceof EndpointError) failure = endpoint;
      if (!endpoint || endpoint instanceof EndpointError) return fallback ?? failure;
      const answer = await attempt(endpoint);
      if (answer) return answer;
    }
    return fallback ?? failure;
  }

  private chooseReady(tried: ReadonlySet<RpcEndpoint>): RpcEndpoint | undefined {
    for (const { endpoint } of this.members) if (endpoint.isDue) endpoint.verify().catch(ignore);
    const ready = this.members.filter(({ endpoint }) => endpoint.isReady && !tried.has(endpoint));
    let point = this.random() * ready.reduce((sum, { weight }) => sum + weight, 0);
    return (ready.find(({ weight }) => (point -= weight) < 0) ?? ready.at(-1))?.endpoint;
  }

  /**
   * An endpoint that tells the right chain now: the first of those that were never asked, or else the one that rested
   * longest. Nothing where each was tried, an error where none is well.
   */
  private async awaken(tried: ReadonlySet<RpcEndpoint>): Promise<RpcEndpoint | EndpointError | undefined> {
    const untried = this.members.map(({ endpoint }) => endpoint).filter((endpoint) => !tried.has(endpoint));
    const isNew = (endpoint: RpcEndpoint): boolean => endpoint.state === 'unverified';
    const [rested] = untried
      .filter((endpoint) => !isNew(endpoint))
      .sort((a, b) => a.restsSince - b.restsSince);
    const first = await firstWell(untried.filter(isNew));
    return rested && !isWell(first) ? firstWell([rested]) : first;
  }
}

/** The first of them that tells the right chain, or why none did; undefined of none. */
async function firstWell(endpoints: RpcEndpoint[]): Promise<RpcEndpoint | EndpointError | undefined> {
  if (endpoints.length === 0) return undefined;
  try {
    return await Promise.any(endpoints.map((endpoint) => endpoint.verify().then(() => endpoint)));
  } catch (error) {
    const cause: unknown = (error as AggregateError).errors.at(-1);
    if (cause instanceof EndpointError) return cause;
    throw cause;
  }
}

const isWell = (endpoint: RpcEndpoint | EndpointError | undefined): endpoint is RpcEndpoint =>
  endpoint !== undefined && !(endpoint instanceof EndpointError);

const ignore = (): void => undefined;
