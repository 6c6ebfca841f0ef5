import { Doubts } from '../../chains/doubts';
import type { TransactionEntity } from '../transaction.entity';
import { LongWaits } from './long-waits';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** The key for pauses of signing a further attempt: while that fails, the previous attempt is sent again. */
export const renewalOf = (id: string): string => `renewal ${id}`;

/** The key for pauses of pricing a further attempt, after no node responded. */
export const pricingOf = (id: string): string => `pricing ${id}`;

/** The key for doubts about the block at which a transaction was first signed. */
export const datingOf = (id: string): string => `dating ${id}`;

/** The key for pauses of the search for the transaction that used a nonce. */
export const searchOf = (id: string): string => `search ${id}`;

/** The key for doubts about whether something else has used the nonce of a transaction. */
const useOf = (id: string): string => `nonce ${id}`;

/** The key for doubts about whether the block of a mined transaction is gone. */
export const receiptOf = (id: string): string => `receipt ${id}`;

/** The key for doubts about whether a signed transaction fits into a block. */
export const fittingOf = (id: string): string => `fit ${id}`;

/** The key for doubts about whether the attempt of a transaction that a node has accepted is invalid. */
export const validityOf = (id: string): string => `valid ${id}`;

/** The key for doubts about whether a signed transaction can be signed again. */
export const draftingOf = (id: string): string => `draft ${id}`;

/** The key for doubts about whether a transaction can be executed that no node accepts. */
export const executionOf = (id: string): string => `execution ${id}`;

/** What the memory knows of a transaction that was signed. */
type Attempted = Pick<TransactionEntity, 'id' | 'status' | 'attempt'>;

interface Pause {
  failures: number;
  since: number;
  until: number;
  /** The newest block, if the next try is to wait for another one. */
  head: number | undefined;
}

/**
 * What an instance remembers about an account during one lease, and its {@link LongWaits}. This only saves work: an
 * instance that takes the account over starts without it.
 */
export class LaneMemory {
  private readonly pauses = new Map<string, Pause>();
  private readonly doubts: Doubts;
  /** The nonces of transactions for which something else seems to have used them. */
  private readonly used = new Map<string, number>();
  /** The depth at which a mined transaction was last checked. */
  readonly depths = new Map<string, number>();
  /** The attempts that were refused because they cost too much, by transaction. */
  private readonly expensive = new Map<string, string>();
  private nonceLimit = Infinity;
  /** Whether the account had more open transactions than are read at once the last time they were read. */
  hasMany = false;
  /** The attempt at the head of the queue, and the newest block when it was first seen there. */
  private next: { hash: string; head: number } | undefined;

  constructor(
    private readonly now: () => number = () => performance.now(),
    readonly waits = new LongWaits(now),
  ) {
    this.doubts = new Doubts(now);
  }

  /**
   * Whether a transaction, or its {@link renewalOf renewal}, may be tried again.
   *
   * @param head the newest block
   */
  mayTry(id: string, head?: number): boolean {
    const pause = this.pauses.get(id);
    if (!pause) return true;
    const now = this.now();
    // Some chains have no blocks while there are no transactions.
    const awaitsBlock =
      pause.head !== undefined && pause.head === head && now < pause.since + LONGEST_PAUSE_MS;
    return now >= pause.until && !awaitsBlock;
  }

  /**
   * Records a failed try: the next one waits, each time for longer.
   *
   * @param head the newest block, if the next try is to wait for another one as well
   */
  failed(id: string, head?: number): void {
    const failures = (this.pauses.get(id)?.failures ?? 0) + 1;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    const since = this.now();
    this.pauses.set(id, { failures, since, until: since + pause, head });
  }

  /** Whether a further attempt may be signed now. */
  mayRenew(id: string): boolean {
    return this.mayTry(renewalOf(id)) && this.mayTry(pricingOf(id));
  }

  /** Whether the last try failed. */
  hasFailed(id: string): boolean {
    return this.pauses.has(id);
  }

  succeeded(id: string): void {
    this.pauses.delete(id);
  }

  /** When the next pause ends, in milliseconds from now; undefined if there is none. */
  get nextTry(): number | undefined {
    const ends = [...this.pauses.values()].map(({ until }) => until - this.now()).filter((left) => left > 0);
    return ends.length === 0 ? undefined : Math.min(...ends);
  }

  /**
   * The number of new blocks since an attempt was first seen at the head of the queue. If the newest block was wrong at
   * that time, and too high, they are counted from a later one.
   */
  blocksSince(hash: string, head: number): number {
    if (this.next?.hash !== hash || head < this.next.head) this.next = { hash, head };
    return head - this.next.head;
  }

  /**
   * Most endpoints report that the nonces from this one on are unused, although one reports a higher nonce: the next step
   * signs what would otherwise wait for as long as that endpoint is wrong.
   */
  limitNonce(nonce: number): void {
    this.nonceLimit = nonce;
  }

  /** Whether the next step has a limit. */
  get hasNonceLimit(): boolean {
    return this.nonceLimit !== Infinity;
  }

  /** The limit for this step, if there is one; later steps have none. */
  takeNonceLimit(): number {
    const limit = this.nonceLimit;
    this.nonceLimit = Infinity;
    return limit;
  }

  /** Ledger and chain agree. */
  agreed(): void {
    this.settled('gap');
    this.waits.agreed();
  }

  /** See {@link Doubts.hasLasted}. */
  hasLasted(what: string, head: number): boolean {
    return this.doubts.hasLasted(what, head);
  }

  settled(what: string): void {
    this.pauses.delete(what);
    this.doubts.settled(what);
  }

  /** Whether the nonce of a transaction has counted as used for long enough, although it has no receipt. */
  hasLastedUse({ id, nonce }: { id: string; nonce: number }, head: number): boolean {
    this.used.set(id, nonce);
    return this.hasLasted(useOf(id), head);
  }

  /** A transaction has a receipt. */
  settledUse(id: string): void {
    this.used.delete(id);
    this.settled(useOf(id));
  }

  /** The nonces from this one on are unused, whatever nodes have reported before. */
  unusedFrom(next: number): void {
    for (const [id, nonce] of this.used) if (nonce >= next) this.settledUse(id);
  }

  /** @returns whether this many milliseconds have passed since this call */
  timeLimit(ms: number): () => boolean {
    const end = this.now() + ms;
    return () => this.now() >= end;
  }

  /** Records whether the newest attempt of a transaction was refused because it costs too much. */
  setTooExpensive({ id, attempt }: Attempted, is: boolean): void {
    if (is && attempt) this.expensive.set(id, attempt.hash);
    else this.expensive.delete(id);
  }

  /** Whether no node has acknowledged any attempt, and the newest was last refused because it costs too much. */
  isTooExpensive({ id, status, attempt }: Attempted): boolean {
    return status === 'sent' && attempt !== null && this.expensive.get(id) === attempt.hash;
  }

  /** Forgets a transaction that is final. */
  forget(id: string): void {
    this.pauses.delete(id);
    this.pauses.delete(renewalOf(id));
    this.pauses.delete(pricingOf(id));
    this.pauses.delete(searchOf(id));
    this.depths.delete(id);
    this.expensive.delete(id);
    this.waits.forget(id);
    this.settledUse(id);
    for (const doubtOf of [receiptOf, datingOf, fittingOf, validityOf, draftingOf, executionOf])
      this.settled(doubtOf(id));
  }
}
