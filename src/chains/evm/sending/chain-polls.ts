import { getOrCreate } from '../../../common/get-or-create';
import { setNewest } from '../../../common/set-newest';
import { outsideRequests } from '../../../common/http/request-context';
import { Doubts } from '../../doubts';
import type { RpcPool } from '../../rpc/rpc-pool';
import type { ChainView } from '../../transaction-chain';
import { unlessUnreadable } from '../node-read';
import { fromAvailable, isStalled, readAgreedHead } from './agreement';
import { type Head, readHead, readNonces } from './chain-reads';

/** How many blocks endpoints may differ by, in addition to those that may have been mined meanwhile. */
const LAG_BLOCKS = 3;
const LAG_MS = 4000;
/** Chains are at times faster than their configured block time. */
const PACE = 2;
/** With fewer endpoints, none can be outvoted. */
const ENOUGH_TO_VOTE = 3;
/** Callers within this time share a poll. */
const TOGETHER_MS = 2;
const MAX_KNOWN = 10_000;
/** If the gas limit differs from the agreed one by more than this factor, all endpoints are called. */
const GAS_LIMIT_FACTOR = 2n;
/** After one was found to have stalled, all are called for this long. */
const COMPARED_MS = 30_000;
/** While no endpoint has a recent block, their newest blocks are compared this often: the chain may have none. */
const QUIET_MS = 30_000;

interface Waiting {
  resolve: (view: ChainView) => void;
  reject: (error: unknown) => void;
}

/** The newest block and the next nonces of accounts, as endpoints reported them. */
interface Reading {
  head: Head;
  nonces: ReadonlyMap<string, number>;
}

/**
 * Reads the newest block and the nonces of all accounts that are waited for, so that the number of calls depends on
 * the polls and not on the accounts. A lower block or nonce than before is accepted only if it persists. If the
 * endpoint that was called {@link isStalled has stalled}, both come from another one that follows the chain, if there
 * is one. If there are at least three endpoints and one reports a block far from the last one, the block that most of
 * them report is used. If there are two or more and one reports a much lower or higher gas limit than the one that
 * was agreed, the gas limit is also compared.
 */
export class ChainPolls {
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly nonces = new Map<string, number>();
  private readonly doubts = new Doubts();
  private timer: NodeJS.Timeout | undefined;
  private timerAt = Infinity;
  private lastAt = -Infinity;
  private newest: Head | undefined;
  private newestAt = 0;
  /** Until then, all endpoints are called, because one has stalled. */
  private comparedUntil = -Infinity;
  /** Until then, an endpoint without a recent block is used, because none had one. */
  private quietUntil = -Infinity;
  /** The gas limit that endpoints reported when they were last compared; undefined before. */
  private agreedGasLimit: bigint | undefined;

  /**
   * @param pollMs milliseconds between polls
   * @param blockMs milliseconds between blocks
   * @param stalledAfterMs the age of the newest block, in milliseconds, from which on an endpoint has stalled
   * @param now milliseconds of a monotonic clock
   */
  constructor(
    private readonly pool: RpcPool,
    private readonly pollMs: number,
    private readonly blockMs: number,
    private readonly stalledAfterMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The newest block that was read; undefined before the first poll. */
  get head(): Head | undefined {
    return this.newest;
  }

  /** Reads immediately. @throws RpcUnavailableError, NodeRefusedError */
  read(address: string): Promise<ChainView> {
    return this.wait(address, performance.now() + TOGETHER_MS);
  }

  /** Reads at the next poll. @throws as {@link read} */
  next(address: string): Promise<ChainView> {
    return this.wait(address, Math.max(this.lastAt + this.pollMs, performance.now() + TOGETHER_MS));
  }

  private wait(address: string, at: number): Promise<ChainView> {
    if (at < this.timerAt) {
      clearTimeout(this.timer);
      this.timerAt = at;
      // Detached from the request that started it, so that the poll continues when that request ends.
      const poll = (): void => void outsideRequests(() => this.poll());
      this.timer = setTimeout(poll, at - performance.now()).unref();
    }
    return new Promise((resolve, reject) => {
      getOrCreate(this.waiting, address, () => []).push({ resolve, reject });
    });
  }

  private async poll(): Promise<void> {
    const waiting = new Map(this.waiting);
    this.waiting.clear();
    this.timerAt = Infinity;
    this.lastAt = performance.now();
    try {
      const { head, nonces } = await this.readCurrent([...waiting.keys()]);
      const believed = await this.believeHead(head);
      for (const [address, callers] of waiting) {
        const reported = nonces.get(address) ?? 0;
        const nonce = this.believeNonce(address, reported, head.number);
        for (const { resolve } of callers) resolve({ head: believed.number, nonce, reported });
      }
    } catch (error) {
      for (const { reject } of [...waiting.values()].flat()) reject(error);
    }
  }

  private async readCurrent(addresses: readonly string[]): Promise<Reading> {
    // Either of two calls could go to the endpoint that has stalled.
    const isCompared = this.now() < this.comparedUntil;
    const following = isCompared ? await this.readFollowing(addresses) : undefined;
    if (following) return following;
    const [head, nonces] = await Promise.all([readHead(this.pool), readNonces(this.pool, addresses)]);
    const mayBeBehind =
      this.pool.members.length > 1 && isStalled(head, this.stalledAfterMs) && this.now() >= this.quietUntil;
    if (!mayBeBehind) return { head, nonces };
    this.comparedUntil = this.now() + COMPARED_MS;
    return (await this.readFollowing(addresses)) ?? { head, nonces };
  }

  /**
   * What the endpoint with the highest weight reports of those that follow the chain; undefined if none does. Not the
   * one with the newest block: any endpoint could claim to be that one.
   */
  private async readFollowing(addresses: readonly string[]): Promise<Reading | undefined> {
    const { stated } = await fromAvailable(this.pool, async (one) => ({ one, head: await readHead(one) }));
    const [best] = stated
      .filter(({ head }) => !isStalled(head, this.stalledAfterMs))
      .sort((one, other) => weightOf(other.one) - weightOf(one.one));
    if (!best) {
      this.quietUntil = this.now() + QUIET_MS;
      this.comparedUntil = -Infinity;
      return undefined;
    }
    const nonces = await unlessUnreadable(() => readNonces(best.one, addresses));
    return nonces && { head: best.head, nonces };
  }

  private async believeHead(stated: Head): Promise<Head> {
    const isAgreed = !this.isPlausible(stated) || !this.isGasLimitNear(stated);
    const head = isAgreed ? await readAgreedHead(this.pool) : stated;
    if (isAgreed) this.agreedGasLimit = head.gasLimit;
    if (
      isAgreed ||
      !this.newest ||
      head.number >= this.newest.number ||
      this.doubts.hasLasted('head', head.number)
    ) {
      if (head.number !== this.newest?.number) this.newestAt = this.now();
      this.newest = head;
      this.doubts.settled('head');
    }
    return this.newest;
  }

  /** A block that is too high would make transactions final, and private ones public, too early. */
  private isPlausible({ number }: Head): boolean {
    if (this.pool.members.length < ENOUGH_TO_VOTE) return true;
    if (!this.newest) return false;
    const ahead = number - this.newest.number;
    const lag = LAG_BLOCKS + LAG_MS / this.blockMs;
    const usual = (PACE * (this.now() - this.newestAt)) / this.blockMs;
    return ahead >= -lag && ahead <= lag + usual;
  }

  /**
   * A gas limit that is too low would refuse transactions for good. It is compared with the agreed one and not with the
   * last one, because otherwise one endpoint could lower it in steps.
   */
  private isGasLimitNear({ gasLimit }: Head): boolean {
    if (this.pool.members.length === 1) return true;
    const agreed = this.agreedGasLimit;
    if (agreed === undefined) return false;
    return GAS_LIMIT_FACTOR * gasLimit >= agreed && gasLimit <= GAS_LIMIT_FACTOR * agreed;
  }

  private believeNonce(address: string, nonce: number, head: number): number {
    const known = this.nonces.get(address);
    const doubt = `nonce ${address}`;
    if (known !== undefined && nonce < known && !this.doubts.hasLasted(doubt, head)) return known;
    this.doubts.settled(doubt);
    setNewest(this.nonces, address, nonce, MAX_KNOWN);
    return nonce;
  }
}

const weightOf = ({ members: [only] }: RpcPool): number => only?.weight ?? 0;
