import { eventLoopTurns } from '../../common/event-loop/event-loop-turns';
import { outsideRequests } from '../../common/http/request-context';
import { maskUrl } from '../../common/validation/http-url';
import type { CallJournal } from './call-journal';
import { afterCalls, afterForwarded, type Consequence } from './consequences';
import { EndpointError, type EndpointFailure, rejected } from './endpoint-error';
import { inParallel } from './in-parallel';
import { type InternalCall, parseNodeResponse } from './internal-call';
import { type JsonRpcResponse, type JsonRpcCall, MalformedResponseError } from './json-rpc';
import type { NodeBatch } from './response/node-batch';
import type { NodeContent, NodeResponse } from './response/node-response';
import type { ErrorOwner, RpcChain } from './rpc-chain';
import type { RpcTransport } from './rpc-transport';

/** First rest of an endpoint that failed. @limit Calls to nodes */
const FIRST_REST_MS = 60_000;
/** Longest rest of an endpoint that keeps failing. @limit Calls to nodes */
const LONGEST_REST_MS = 600_000;
const SHORTEST_REST_MS = 1_000;
/** Time for which `…/rpc` prefers other endpoints after a call of a client has failed at one. @limit Calls to nodes */
const DOUBT_MS = 60_000;
/** Shortest time between two probes of an endpoint that is not due for one. @limit Calls to nodes */
const EXTRA_PROBE_MS = 2_000;
/** Time for which an endpoint that refused or failed a batch gets its calls one at a time. @limit Calls to nodes */
const WITHOUT_BATCHES_MS = 600_000;
/** Calls in progress at an endpoint instead of one batch. @limit Calls to nodes */
const PARALLEL_CALLS = 8;
/** Response to a batch of the service's own calls. @limit Calls to nodes */
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/** `unverified` until its chain is known, `resting` after a failure; `wrong_chain` also rests, but for that reason. */
export type EndpointState = 'unverified' | 'ready' | 'resting' | 'wrong_chain';

/** Failures after which an endpoint is not probed before its rest ends. */
const LEFT_ALONE: ReadonlySet<EndpointFailure> = new Set(['rate_limited', 'interrupted']);

export interface EndpointEvents {
  /** Called when the endpoint changes its state. */
  changed?: (endpoint: RpcEndpoint, state: EndpointState, cause: EndpointError | undefined) => void;
}

/** The response of a node, and whether another node may have a different one. */
export interface EndpointResponse<T> {
  value: T;
  elsewhere: boolean;
}

/**
 * One RPC endpoint and its state. It is used once it is known to serve the right chain; after a failure it rests,
 * longer each time, until a probe for its chain succeeds.
 */
export class RpcEndpoint {
  /** The URL for the log: without path, query and user info. */
  readonly place: string;
  private current: EndpointState = 'unverified';
  private restMs = 0;
  private restingSince = 0;
  private restsUntil = 0;
  private readySince = 0;
  private verifiedAt = -Infinity;
  private withoutBatchesUntil = -Infinity;
  private extraProbeAt = -Infinity;
  private doubtedUntil = -Infinity;
  /** Whether it may be probed before its rest ends. */
  private mayWakeEarly = false;
  /** Whether a call has completed in this process, successfully or not. */
  private hasCompleted = false;
  private verifying: Promise<void> | undefined;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly url: string,
    readonly chain: RpcChain,
    private readonly transport: RpcTransport,
    private readonly now: () => number,
    private readonly events: EndpointEvents = {},
    private readonly journal?: CallJournal,
  ) {
    this.place = maskUrl(url);
  }

  get state(): EndpointState {
    return this.current;
  }

  get isReady(): boolean {
    return this.current === 'ready';
  }

  /** Whether it has rested long enough to be tried again. */
  get isDue(): boolean {
    return !this.isReady && this.now() >= this.restsUntil;
  }

  /** Whether a call of a client has just failed here, perhaps because of the call. */
  get isDoubtful(): boolean {
    return this.now() < this.doubtedUntil;
  }

  /** The time at which its rest began, if it rests. */
  get restsSince(): number {
    return this.restingSince;
  }

  /**
   * Forwards a call and returns its response in the bytes that were received. The call itself may be the reason for a
   * failure, so the endpoint then rests only if a probe fails too.
   *
   * @param maxBytes the maximum size of the response body
   * @throws EndpointError
   */
  forward(call: JsonRpcCall, maxBytes: number): Promise<EndpointResponse<NodeResponse>> {
    const send = () => this.transport.call(this.url, call, maxBytes, true);
    return this.exchange(send, (response) => response, afterForwarded);
  }

  /**
   * Makes a call on the service's own behalf.
   *
   * @param parse parses the response; throws MalformedResponseError if it does not have the expected form
   * @param isForClient whether a client waits for the result
   * @throws EndpointError
   */
  call<T>(
    call: InternalCall,
    parse: (response: JsonRpcResponse) => T,
    isForClient = false,
  ): Promise<EndpointResponse<T>> {
    const read = async (response: NodeResponse): Promise<T> => {
      try {
        return parse(await eventLoopTurns.run(parseNodeResponse(response, call)));
      } finally {
        response.release();
      }
    };
    const send = () => this.transport.call(this.url, call, call.maxBytes, isForClient);
    return this.exchange(send, read, afterCalls([call]));
  }

  /**
   * Makes calls on the service's own behalf, as one batch unless the endpoint is known not to support batches.
   *
   * @param parse parses the response to the call at a position; throws MalformedResponseError
   * @param inOrder whether calls that are not batched are made one after the other
   * @returns the responses in the order of the calls
   * @throws EndpointError
   */
  async callAll<T>(
    calls: readonly InternalCall[],
    parse: (response: JsonRpcResponse, position: number) => T,
    inOrder = false,
  ): Promise<EndpointResponse<T>[]> {
    const batch =
      calls.length > 1 && this.now() >= this.withoutBatchesUntil
        ? await this.exchangeBatch(calls, parse)
        : undefined;
    return (
      batch ??
      inParallel(calls, inOrder ? 1 : PARALLEL_CALLS, (call, i) =>
        this.call(call, (response) => parse(response, i)),
      )
    );
  }

  private exchange<T>(
    send: () => Promise<NodeResponse>,
    parse: (response: NodeResponse) => T | Promise<T>,
    consequenceOf: (error: EndpointError) => Consequence,
  ): Promise<EndpointResponse<T>> {
    return this.attempt(async () => {
      const response = await send();
      const owner = this.ownerOf(response);
      // Providers also use that status if only this call, for example to archived state, needs another plan.
      const isRejected = response.isForbidden && owner !== 'elsewhere';
      if (isRejected || owner === 'endpoint') {
        response.release();
        throw isRejected ? rejected(403) : cannotServe();
      }
      return { value: await parseOrFail(() => parse(response)), elsewhere: owner === 'elsewhere' };
    }, consequenceOf);
  }

  /** Undefined if the calls must be made individually. */
  private async exchangeBatch<T>(
    calls: readonly InternalCall[],
    parse: (response: JsonRpcResponse, position: number) => T,
  ): Promise<EndpointResponse<T>[] | undefined> {
    try {
      return await this.tryBatch(calls, parse);
    } catch (error) {
      // The endpoint may have refused the batch with an error of its own, and would refuse it again after each rest.
      if (error instanceof EndpointError && (error.failure === 'http' || error.failure === 'malformed'))
        this.withoutBatchesUntil = this.now() + WITHOUT_BATCHES_MS;
      throw error;
    }
  }

  /** Undefined if the endpoint has shown that it does not support batches. */
  private tryBatch<T>(
    calls: readonly InternalCall[],
    parse: (response: JsonRpcResponse, position: number) => T,
  ): Promise<EndpointResponse<T>[] | undefined> {
    return this.attempt(async () => {
      const batch = await this.sendBatch(calls);
      if (!batch) return undefined;
      try {
        const owners = batch.contents.map((content) => this.ownerOf(content));
        if (owners.includes('endpoint')) throw cannotServe();
        const responses: EndpointResponse<T>[] = [];
        for (const [i, content] of batch.contents.entries()) {
          const read = parseNodeResponse(content, calls[i]);
          const value = await parseOrFail(async () => parse(await eventLoopTurns.run(read), i));
          responses.push({ value, elsewhere: owners[i] === 'elsewhere' });
        }
        return responses;
      } finally {
        batch.release();
      }
    }, afterCalls(calls));
  }

  private async sendBatch(calls: readonly InternalCall[]): Promise<NodeBatch | undefined> {
    const wanted = calls.reduce((sum, { maxBytes }) => sum + maxBytes, 0);
    const maxBytes = Math.min(wanted, MAX_BATCH_BYTES);
    try {
      const batch = await this.transport.callAll(this.url, calls, maxBytes);
      if (!batch) this.withoutBatchesUntil = this.now() + WITHOUT_BATCHES_MS;
      return batch;
    } catch (error) {
      // Each response may be within its own limit, and small enough not to need the shared memory for large ones.
      const failure = error instanceof EndpointError ? error.failure : undefined;
      if (failure === 'overloaded' || (failure === 'too_large' && wanted > maxBytes)) return undefined;
      throw error;
    }
  }

  private ownerOf(content: NodeContent): ErrorOwner {
    return 'error' in content ? this.chain.ownerOf(content.content) : 'caller';
  }

  /** Makes one exchange with the endpoint, which may rest if it fails. */
  private async attempt<T>(
    exchange: () => Promise<T>,
    consequenceOf: (error: EndpointError) => Consequence,
  ): Promise<T> {
    const startedAt = this.now();
    try {
      const result = await exchange();
      this.hasCompleted = true;
      return result;
    } catch (error) {
      if (error instanceof EndpointError) this.hasCompleted = true;
      // The failure of a call that began before the last successful probe reveals nothing new.
      if (error instanceof EndpointError && startedAt >= this.readySince) {
        const consequence = consequenceOf(error);
        if (consequence === 'probe') this.doubt();
        else if (consequence !== 'none') this.rest(error, consequence === 'brief');
      }
      throw error;
    }
  }

  /**
   * Probes it in the background, unless that is being done or was done a moment ago. Until the probe fails it remains
   * ready, so that a client whose calls fail cannot take it out of service.
   */
  private doubt(): void {
    this.doubtedUntil = this.now() + DOUBT_MS;
    if (this.isReady) this.probeExtra()?.catch(ignore);
  }

  /** Undefined if it was probed a moment ago. */
  private probeExtra(): Promise<void> | undefined {
    if (this.verifying) return this.verifying;
    if (this.now() - this.extraProbeAt < EXTRA_PROBE_MS) return undefined;
    this.extraProbeAt = this.now();
    return outsideRequests(() => this.verify());
  }

  /** Verifies the chain, once for all callers at the same time. @throws EndpointError */
  verify(): Promise<void> {
    this.verifying ??= this.probe().finally(() => {
      this.verifying = undefined;
    });
    return this.verifying;
  }

  /** Verifies the chain by a probe that begins now. @throws EndpointError */
  async verifyAnew(): Promise<void> {
    await this.verifying?.catch(ignore);
    await this.verify();
  }

  /** Verifies the chain if that was last done longer ago than this. @throws EndpointError */
  async verifyAfter(milliseconds: number): Promise<void> {
    if (this.isReady ? this.now() - this.verifiedAt >= milliseconds : this.isDue) await this.verify();
  }

  /**
   * Verifies the chain although it rests, because calls need it, but not repeatedly within a moment. One that demanded a
   * rest is left alone. @throws EndpointError
   */
  async verifyEarly(): Promise<void> {
    if (!this.isReady && this.mayWakeEarly) await this.probeExtra();
  }

  private async probe(): Promise<void> {
    const probe = () => this.call(this.chain.probe, this.chain.readId);
    const { value } =
      this.journal && !this.hasCompleted ? await this.probeFirst(this.journal, probe) : await probe();
    if (value !== this.chain.id) {
      const error = new EndpointError('wrong_chain', `The endpoint serves chain ${value}`);
      this.rest(error);
      throw error;
    }
    this.verifiedAt = this.now();
    if (this.isReady) return;
    this.readySince = this.now();
    this.become('ready');
  }

  /**
   * Makes the first call in this process. If another process ended during a call to this endpoint, the endpoint is
   * called only if no other is available; if that happened repeatedly, it is not called at all for a while.
   */
  private async probeFirst<T>(journal: CallJournal, probe: () => Promise<T>): Promise<T> {
    const isLastResort = this.current !== 'unverified' && !this.isDue;
    const interruption = isLastResort
      ? await journal.interruptionAfterOthers(this.url)
      : await journal.interruptionOf(this.url);
    if (interruption && (interruption.isBarred || !isLastResort)) {
      const error = new EndpointError(
        'interrupted',
        'The service ended during a call to it',
        interruption.restMs,
      );
      this.rest(error);
      throw error;
    }
    return journal.watch(this.url, probe);
  }

  private rest(error: EndpointError, isBrief = false): void {
    const { failure, retryAfterMs } = error;
    const now = this.now();
    const stayedReady = this.isReady && now - this.readySince > this.restMs;
    // Concurrent calls fail together: that counts as one failure.
    if (this.isReady || now >= this.restsUntil) {
      if (!isBrief && failure !== 'interrupted')
        this.restMs = stayedReady
          ? FIRST_REST_MS
          : Math.min(Math.max(2 * this.restMs, FIRST_REST_MS), LONGEST_REST_MS);
      const wanted = retryAfterMs === undefined ? this.restMs : bounded(retryAfterMs);
      this.restsUntil = now + (isBrief ? SHORTEST_REST_MS : wanted);
      this.mayWakeEarly = retryAfterMs === undefined && !LEFT_ALONE.has(failure);
    }
    this.restingSince = now;
    this.withoutBatchesUntil = -Infinity;
    this.become(error.failure === 'wrong_chain' ? 'wrong_chain' : 'resting', error);
  }

  private become(state: EndpointState, cause?: EndpointError): void {
    const changed = this.current !== state;
    this.current = state;
    if (changed) this.events.changed?.(this, state, cause);
  }
}

const bounded = (milliseconds: number): number =>
  Math.min(Math.max(milliseconds, SHORTEST_REST_MS), LONGEST_REST_MS);

const ignore = (): void => undefined;

const cannotServe = (): EndpointError => new EndpointError('node', 'The node cannot serve now');

/** @throws EndpointError for a MalformedResponseError */
async function parseOrFail<T>(parse: () => T | Promise<T>): Promise<T> {
  try {
    return await parse();
  } catch (error) {
    if (!(error instanceof MalformedResponseError)) throw error;
    throw new EndpointError('malformed', error.message);
  }
}
