import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientShares, currentSharer } from '../../common/http/client-shares';
import { outsideRequests } from '../../common/http/request-context';
import { currentTrace, inTrace } from '../../common/tracing/spans';
import { EndpointError, type EndpointFailure, RpcUnavailableError } from './endpoint-error';
import type { InternalCall } from './internal-call';
import type { JsonRpcResponse, JsonRpcCall } from './json-rpc';
import type { EndpointResponse, RpcEndpoint } from './rpc-endpoint';
import type { NodeResponse } from './response/node-response';
import { SharedResponse } from './response/shared-response';

/**
 * Calls in progress per list of endpoints, and as many of `…/rpc` and simulations of requests; the next one is refused.
 * @limit Calls to nodes
 */
const MAX_IN_FLIGHT = 1024;
/**
 * The same for the calls of one API key for `…/rpc` and simulations, of what those of all other keys leave. The root
 * key may use all.
 * @limit Calls to nodes
 */
const SHARE_PERCENT = 50;
/** The service's own calls in one batch request. @limit Calls to nodes */
const MAX_BATCH = 100;
/** If every endpoint of a pool has failed, they are tried once more after a pause of up to this length. */
const SECOND_ROUND_MS = 300;
/**
 * Time after which a call goes to no further endpoint. Two may use their whole timeouts, and a third can still
 * respond.
 * @limit Calls to nodes
 */
const PATIENCE_MS = 25_000;
/** How long a comparison waits for endpoints that may be ready. */
const COMPARISON_PATIENCE_MS = 1_000;
/** How long callers wait for the endpoint that has rested longest before the others are probed as well. */
const PROBE_PATIENCE_MS = 1_000;
/** Failures after which an endpoint cannot serve until it is repaired. */
const NEEDS_REPAIR: ReadonlySet<EndpointFailure> = new Set(['refused', 'rejected', 'wrong_chain', 'tls']);
/** Failures after which trying again would cost another timeout, or cannot have another result. */
const FINAL: ReadonlySet<EndpointFailure> = new Set(['timeout', 'too_large', ...NEEDS_REPAIR]);

/** An endpoint and its share of the calls, from 1 to 100. */
export interface WeightedEndpoint {
  endpoint: RpcEndpoint;
  weight: number;
}

export interface PoolEvents {
  /** Called when a call moves on to another endpoint. */
  failedOver?: () => void;
}

/**
 * On whose behalf a call is made: `awaited` is a call of the service for which a client waits. Calls for clients have
 * limits and connections of their own, so that they cannot delay the service's own calls.
 */
type CallKind = 'own' | 'awaited' | 'forwarded';

/** The numbers of calls in progress. Calls for clients share a limit. */
interface CallsInFlight {
  own: ClientShares;
  forClients: ClientShares;
}

type Attempt<T> = (endpoint: RpcEndpoint) => Promise<EndpointResponse<T>>;

/**
 * The endpoints of a network or a relayer, all of one chain. A call goes to a ready endpoint, chosen by weight, and
 * moves on to the next if that fails. Resting endpoints are probed in the background. If all rest, the one that has
 * rested longest is tried.
 */
export class RpcPool {
  private readonly shared = new Map<string, SharedResponse>();

  constructor(
    readonly members: readonly WeightedEndpoint[],
    private readonly events: PoolEvents = {},
    private readonly random: () => number = Math.random,
    private readonly inFlight: CallsInFlight = {
      own: new ClientShares(MAX_IN_FLIGHT, 100),
      forClients: new ClientShares(MAX_IN_FLIGHT, SHARE_PERCENT),
    },
    private readonly kind: CallKind = 'own',
  ) {}

  /** The same pool, for calls that the service makes while a client is waiting. */
  get forClients(): RpcPool {
    return new RpcPool(this.members, this.events, this.random, this.inFlight, 'awaited');
  }

  /**
   * Forwards a call to a node, and returns its response in the bytes that were received. Concurrent identical reads of
   * a client share one call and these bytes.
   *
   * @param maxBytes the maximum size of the response body; an endpoint that sends more has failed
   * @param signal aborted when the caller no longer waits. A read is aborted once nobody waits for it. Any other call
   * may have an effect, and is completed.
   * @throws RpcUnavailableError if no endpoint responds; AbandonedCallError if the call was aborted
   */
  forward({ method, params }: JsonRpcCall, maxBytes: number, signal?: AbortSignal): Promise<NodeResponse> {
    const sharer = currentSharer();
    const send = (call: JsonRpcCall): Promise<NodeResponse> =>
      this.admit(
        (endpoint: RpcEndpoint) => endpoint.forward({ ...call, sharer }, maxBytes),
        'forwarded',
        sharer,
      );
    if (!this.members[0]?.endpoint.chain.isSharedRead(method)) return send({ method, params });
    // A digest, because parameters may have a megabyte. Calls wait for the turns of their client, so those of others
    // must not wait with them.
    const key = hash('sha256', JSON.stringify([method, params, maxBytes, sharer?.id]), 'base64');
    const inProgress = this.shared.get(key);
    if (inProgress) return inProgress.join(signal);
    // Detached from the request that started the call, which may end while others still wait, but still part of its
    // trace.
    const trace = currentTrace();
    const shared = new SharedResponse(
      (abandoned) => outsideRequests(() => inTrace(trace, () => send({ method, params, signal: abandoned }))),
      () => {
        // After an abort, an equal call may already have taken its place.
        if (this.shared.get(key) === shared) this.shared.delete(key);
      },
    );
    this.shared.set(key, shared);
    return shared.join(signal);
  }

  /**
   * Makes a call on the service's own behalf. An endpoint whose response does not have the expected form has failed.
   *
   * @param parse throws MalformedResponseError
   * @throws RpcUnavailableError
   */
  read<T>(call: InternalCall, parse: (response: JsonRpcResponse) => T): Promise<T> {
    return this.admit((endpoint) => endpoint.call(call, parse, this.kind !== 'own'));
  }

  /**
   * Makes calls on the service's own behalf, up to 100 in one request if the endpoint supports batches. An endpoint
   * that fails at one of them has failed. Calls to which a node has no result, but another may, are repeated at
   * another.
   *
   * @param parse parses the response to the call at an index; throws MalformedResponseError
   * @param inOrder whether calls that are not batched are made one after the other
   * @returns the results of `parse`, in the order of the calls
   * @throws RpcUnavailableError
   */
  async readAll<T>(
    calls: readonly InternalCall[],
    parse: (response: JsonRpcResponse, index: number) => T,
    inOrder = false,
  ): Promise<T[]> {
    const results: T[] = [];
    for (let start = 0; start < calls.length; start += MAX_BATCH) {
      const batch = calls.slice(start, start + MAX_BATCH);
      results.push(...(await this.readBatch(batch, (response, i) => parse(response, start + i), inOrder)));
    }
    return results;
  }

  private async readBatch<T>(
    calls: readonly InternalCall[],
    parse: (response: JsonRpcResponse, index: number) => T,
    inOrder: boolean,
  ): Promise<T[]> {
    const values = new Map<number, T>();
    let open = calls.map((call, index) => ({ call, index }));
    await this.admit(async (endpoint) => {
      const current = open;
      const responses = await endpoint.callAll(
        current.map(({ call }) => call),
        (response, position) => parse(response, current[position]?.index ?? 0),
        inOrder,
      );
      open = current.filter(({ index }, position) => {
        const response = responses[position];
        if (!response) return true;
        // As for single calls, the first error is the result if every node returns one.
        if (!response.elsewhere || !values.has(index)) values.set(index, response.value);
        return response.elsewhere;
      });
      return { value: undefined, elsewhere: open.length > 0 };
    });
    return calls.map((_call, index) => values.get(index) as T);
  }

  /**
   * One pool for each ready endpoint, so that their responses can be compared. Endpoints that may be ready are probed
   * first, which takes a moment, and if fewer than half are ready, resting ones too.
   */
  async apart(): Promise<RpcPool[]> {
    if (this.members.length === 1) return [this];
    const isMostlyReady =
      2 * this.members.filter(({ endpoint }) => endpoint.isReady).length >= this.members.length;
    const woken = isMostlyReady ? [] : this.members.map(({ endpoint }) => endpoint.verifyEarly());
    const probes = Promise.allSettled([this.verify(Infinity), ...woken]);
    await Promise.race([probes, sleep(COMPARISON_PATIENCE_MS, undefined, { ref: false })]);
    return this.members
      .filter(({ endpoint }) => endpoint.isReady)
      .map((member) => new RpcPool([member], this.events, this.random, this.inFlight, this.kind));
  }

  private async admit<T>(attempt: Attempt<T>, kind = this.kind, client = currentSharer()): Promise<T> {
    const [inFlight, sharer] =
      kind === 'own' ? [this.inFlight.own, undefined] : [this.inFlight.forClients, client];
    if (inFlight.take(1, sharer) !== undefined) throw new RpcUnavailableError('overloaded');
    try {
      return await this.inRounds(attempt, kind);
    } finally {
      inFlight.release(1, sharer);
    }
  }

  /**
   * Verifies the chain of each endpoint that was last verified longer ago than this, and probes a resting one if no
   * other is ready.
   *
   * @returns whether an endpoint is ready afterwards
   */
  async verify(olderThanMs: number): Promise<boolean> {
    await Promise.allSettled(this.members.map(({ endpoint }) => endpoint.verifyAfter(olderThanMs)));
    return (
      this.members.some(({ endpoint }) => endpoint.isReady) || isUsable(await this.wakeResting(new Set()))
    );
  }

  /** Whether all endpoints serve the chain, by probes that begin now; none is probed again if that fails. */
  async servesChain(): Promise<boolean> {
    const probes = await Promise.allSettled(this.members.map(({ endpoint }) => endpoint.verifyAnew()));
    return probes.every(({ status }) => status === 'fulfilled');
  }

  private async inRounds<T>(attempt: Attempt<T>, kind: CallKind): Promise<T> {
    const first = await this.round(attempt, kind);
    if (!(first instanceof EndpointError)) return first.value;
    if (FINAL.has(first.failure)) throw new RpcUnavailableError(first.failure);
    await sleep(this.random() * SECOND_ROUND_MS);
    const second = await this.round(attempt, kind, true);
    if (second instanceof EndpointError) throw new RpcUnavailableError(second.failure);
    return second.value;
  }

  /** Tries ready endpoints one after the other, and a resting one when none is left. */
  private async round<T>(
    attempt: Attempt<T>,
    kind: CallKind,
    isLast = false,
  ): Promise<EndpointResponse<T> | EndpointError> {
    const tried = new Set<RpcEndpoint>();
    let fallback: EndpointResponse<T> | undefined;
    let failure: EndpointError | undefined;
    const fail = (error: EndpointError): void => {
      // The failure of an endpoint that needs repair says nothing about the others, which may be tried again. A
      // response that is too large, however, is the response to this call, and endpoints that are down do not change
      // that.
      if (!failure || (failure.failure !== 'too_large' && !NEEDS_REPAIR.has(error.failure))) failure = error;
    };
    const outcome = (): EndpointResponse<T> | EndpointError =>
      fallback ?? failure ?? new EndpointError('connection', 'There is no endpoint');
    const tryOne = async (endpoint: RpcEndpoint): Promise<EndpointResponse<T> | undefined> => {
      if (tried.size > 0) this.events.failedOver?.();
      tried.add(endpoint);
      try {
        const response = await attempt(endpoint);
        // An error that other nodes may not return is the result only if every node returns it.
        if (response.elsewhere) fallback ??= response;
        return response.elsewhere ? undefined : response;
      } catch (error) {
        if (!(error instanceof EndpointError)) throw error;
        fail(error);
        return undefined;
      }
    };
    const end = performance.now() + PATIENCE_MS;
    while (performance.now() < end) {
      const isRepeated = failure !== undefined && !isLast && !FINAL.has(failure.failure);
      const endpoint =
        this.chooseReady(tried, kind) ?? (fallback ? undefined : await this.wakeResting(tried, isRepeated));
      if (endpoint instanceof EndpointError) fail(endpoint);
      if (!endpoint || endpoint instanceof EndpointError) return outcome();
      const response = await tryOne(endpoint);
      if (response) return response;
    }
    return outcome();
  }

  /**
   * Forwarded calls prefer endpoints at which no call of a client has just failed. Other calls do not, because a client
   * could otherwise choose the endpoint for them.
   */
  private chooseReady(tried: ReadonlySet<RpcEndpoint>, kind: CallKind): RpcEndpoint | undefined {
    for (const { endpoint } of this.members) if (endpoint.isDue) endpoint.verify().catch(ignore);
    const ready = this.members.filter(({ endpoint }) => endpoint.isReady && !tried.has(endpoint));
    const preferred = kind === 'forwarded' ? ready.filter(({ endpoint }) => !endpoint.isDoubtful) : [];
    const choice = preferred.length > 0 ? preferred : ready;
    let point = this.random() * choice.reduce((sum, { weight }) => sum + weight, 0);
    return (choice.find(({ weight }) => (point -= weight) < 0) ?? choice.at(-1))?.endpoint;
  }

  /**
   * Finds an endpoint that serves the right chain: the first unverified one, otherwise the one that has rested longest,
   * or any other if that one hangs or needs repair.
   *
   * @param isRepeated whether the call will be tried again; if so, it does not wait for an endpoint that hangs
   * @returns undefined if every endpoint has been tried; an error if none succeeds
   */
  private async wakeResting(
    tried: ReadonlySet<RpcEndpoint>,
    isRepeated = false,
  ): Promise<RpcEndpoint | EndpointError | undefined> {
    const untried = this.members.map(({ endpoint }) => endpoint).filter((endpoint) => !tried.has(endpoint));
    const isNew = (endpoint: RpcEndpoint): boolean => endpoint.state === 'unverified';
    const rested = untried.filter((endpoint) => !isNew(endpoint)).sort((a, b) => a.restsSince - b.restsSince);
    const first = await firstUsable(untried.filter(isNew));
    if (isUsable(first) || rested.length === 0) return first;
    const others = rested.slice(1);
    const patience = sleep(PROBE_PATIENCE_MS, undefined, { ref: false });
    const early = await Promise.race([firstUsable(rested.slice(0, 1)), patience]);
    if (!early) return firstUsable(isRepeated ? others : rested);
    const isStuck = !isUsable(early) && NEEDS_REPAIR.has(early.failure) && others.length > 0;
    return isStuck ? firstUsable(others) : early;
  }
}

/** The first endpoint to be verified, or the error if none is; undefined for an empty list. */
async function firstUsable(endpoints: RpcEndpoint[]): Promise<RpcEndpoint | EndpointError | undefined> {
  if (endpoints.length === 0) return undefined;
  try {
    return await Promise.any(endpoints.map((endpoint) => endpoint.verify().then(() => endpoint)));
  } catch (error) {
    const cause: unknown = (error as AggregateError).errors.at(-1);
    if (cause instanceof EndpointError) return cause;
    throw cause;
  }
}

const isUsable = (endpoint: RpcEndpoint | EndpointError | undefined): endpoint is RpcEndpoint =>
  endpoint !== undefined && !(endpoint instanceof EndpointError);

const ignore = (): void => undefined;
