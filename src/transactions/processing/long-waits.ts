import type { SendCause } from '../../chains/send-cause';
import { recall, setNewest } from '../../common/set-newest';

/** A final transaction that the chain has lost is given up after this time, and this many blocks. */
const LOST_MS = 600_000;
const LOST_BLOCKS = 10;
/** The same once another one of the account has been given up: with hundreds of them, new requests would wait for days. */
const NEXT_LOST_MS = 60_000;
const NEXT_LOST_BLOCKS = 3;

/**
 * What has not been seen for this long may have been over in the meantime: other instances process accounts too. Longer
 * than an account waits for its turn.
 */
const FORGOTTEN_AFTER_MS = 3_600_000;
const MAX_TRANSACTIONS = 1000;
const MAX_ACCOUNTS = 10_000;

interface Wait {
  /** When it was first seen, and when it was last seen. */
  since: number;
  seen: number;
}

/**
 * What an instance remembers about an account from one lease to the next, because it takes longer than a lease. An
 * instance that takes the account over starts without it, so that it waits for longer.
 */
export class LongWaits {
  /** Nonces of final transactions that have been reported as sent again since ledger and chain last agreed. */
  private readonly resent = new Set<number>();
  /** By transaction, the search for what used its nonce, since it first found nothing. */
  private readonly unknown = new Map<string, Wait>();
  /**
   * The search for what used nonces continues above this one, because it may take longer than a lease. -1 to begin with
   * the lowest.
   */
  searchedUpTo = -1;
  /** The next nonce of the chain, if its owner is final, and when it was first seen there. */
  private lost: (Wait & { nonce: number; head: number }) | undefined;
  /** When a final transaction was last given up. */
  private gaveUpAt = -Infinity;

  /** The transaction with which the account began to wait for funds. */
  private unfunded: string | undefined;

  /** The newest block when the instance began to process the account. */
  private beginning: number | undefined;

  /** By transaction, the time since nodes first refused it for a reason that is not known. */
  private readonly refused = new Map<string, Wait>();
  /** By transaction, the time since it first could not be simulated. */
  private readonly unsimulated = new Map<string, Wait>();
  /** By transaction, the causes of refusals that have been logged. */
  private readonly logged = new Map<string, ReadonlySet<SendCause>>();
  /** The ledger is far ahead of the chain. */
  private ahead: Wait | undefined;
  /** The attempt at the head of the queue, and when it was first seen there. */
  private head: (Wait & { hash: string }) | undefined;

  /**
   * @param now milliseconds of a monotonic clock
   * @param startedAt when this instance began to process accounts
   */
  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly startedAt: Date = new Date(),
  ) {}

  /** Must be called with each state of the chain before it is processed. @param head the newest block */
  begin(head: number): void {
    this.beginning ??= head;
  }

  /**
   * Whether a block may have an attempt whose record was lost: it existed before the instance began to process the account,
   * or the request existed before the instance did, so that an attempt may have been in the pools of nodes.
   */
  mayLackAttempts(block: number, createdAt: Date): boolean {
    const isOld = this.beginning !== undefined && block <= this.beginning;
    return isOld || createdAt < this.startedAt;
  }

  /** Milliseconds since it was first unknown what used the nonce of a transaction. */
  unknownFor(id: string): number {
    return this.measured(this.unknown, id);
  }

  /** Milliseconds since nodes first refused a transaction for a reason that is not known. */
  refusedFor(id: string): number {
    return this.measured(this.refused, id);
  }

  /** Milliseconds since too few endpoints could simulate a transaction; {@link simulated} ends it. */
  unsimulatedFor(id: string): number {
    return this.measured(this.unsimulated, id);
  }

  simulated(id: string): void {
    this.unsimulated.delete(id);
  }

  /** A node has a transaction: what it or others refused before does not count any more. */
  accepted(id: string): void {
    this.refused.delete(id);
  }

  /** Records that a node refused a transaction. @returns whether no node did so for this cause before */
  isNewRefusal(id: string, cause: SendCause): boolean {
    const causes = this.logged.get(id);
    if (causes?.has(cause)) return false;
    setNewest(this.logged, id, new Set([...(causes ?? []), cause]), MAX_TRANSACTIONS);
    return true;
  }

  /** Records that a transaction waits for funds. @returns whether the account did not wait for any before */
  lacksFunds(id: string): boolean {
    if (this.unfunded !== undefined) return false;
    this.unfunded = id;
    return true;
  }

  /** A transaction does not wait for funds any more. */
  funded(id: string): void {
    if (this.unfunded === id) this.unfunded = undefined;
  }

  /** Milliseconds since the ledger was first seen far ahead of the chain. */
  aheadFor(): number {
    const now = this.now();
    this.ahead = { since: this.continued(this.ahead)?.since ?? now, seen: now };
    return now - this.ahead.since;
  }

  notAhead(): void {
    this.ahead = undefined;
  }

  /** Milliseconds since an attempt was first seen at the head of the queue. */
  headFor(hash: string): number {
    const now = this.now();
    const before = this.head?.hash === hash ? this.continued(this.head) : undefined;
    this.head = { ...(before ?? { hash, since: now }), seen: now };
    return now - this.head.since;
  }

  /**
   * Whether a final transaction whose nonce is the next one of the chain again has been there for so long that it will
   * not be mined: its fees may be too low now. After one was given up, others get less time.
   */
  isLost(nonce: number, head: number): boolean {
    const now = this.now();
    const before = this.lost?.nonce === nonce ? this.continued(this.lost) : undefined;
    this.lost = { ...(before ?? { nonce, since: now, head }), seen: now };
    const isNext = now - this.gaveUpAt < FORGOTTEN_AFTER_MS;
    const [ms, blocks] = isNext ? [NEXT_LOST_MS, NEXT_LOST_BLOCKS] : [LOST_MS, LOST_BLOCKS];
    const isLost = now - this.lost.since >= ms && Math.abs(head - this.lost.head) >= blocks;
    if (isLost) this.gaveUpAt = now;
    return isLost;
  }

  /**
   * Of the nonces whose transactions have been sent again, those that {@link reported} does not know.
   *
   * @param next the next nonce of the chain: what is below it has been mined again
   */
  unreported(nonces: readonly number[], next: number): number[] {
    for (const nonce of this.resent) if (nonce < next) this.resent.delete(nonce);
    return nonces.filter((nonce) => !this.resent.has(nonce));
  }

  reported(nonces: readonly number[]): void {
    for (const nonce of nonces) this.resent.add(nonce);
  }

  /** Ledger and chain agree. */
  agreed(): void {
    this.resent.clear();
    this.lost = undefined;
    this.notAhead();
  }

  /** Forgets a transaction that is final. */
  forget(id: string): void {
    this.unknown.delete(id);
    this.refused.delete(id);
    this.simulated(id);
    this.logged.delete(id);
    this.funded(id);
  }

  private measured(waits: Map<string, Wait>, id: string): number {
    const now = this.now();
    const wait = this.continued(waits.get(id)) ?? { since: now, seen: now };
    setNewest(waits, id, { ...wait, seen: now }, MAX_TRANSACTIONS);
    return now - wait.since;
  }

  private continued<W extends Wait>(wait: W | undefined): W | undefined {
    return wait && this.now() - wait.seen <= FORGOTTEN_AFTER_MS ? wait : undefined;
  }
}

/** The {@link LongWaits} of the accounts that an instance processes. */
export class AccountWaits {
  private readonly accounts = new Map<string, LongWaits>();
  private readonly startedAt = new Date();

  of(accountId: string): LongWaits {
    return recall(this.accounts, accountId, MAX_ACCOUNTS, () => new LongWaits(undefined, this.startedAt));
  }

  /** Must be called when an account has no work left. */
  finished(accountId: string): void {
    this.accounts.delete(accountId);
  }
}
