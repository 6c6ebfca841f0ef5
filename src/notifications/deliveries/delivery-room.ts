/**
 * How a receiver has behaved since the process started: `new` if no attempt has shown it yet, `quick` if it responded
 * to the last attempt within a second, `late` if that took longer, `hanging` if there was no response.
 */
export type Standing = 'new' | 'quick' | 'late' | 'hanging';

/** What the admission of a receiver depends on. */
export interface Guest {
  standing: Standing;
  /** The number of its attempts in progress. */
  used: number;
  /** When its last attempt began, in milliseconds of a monotonic clock; -Infinity if there was none. */
  attemptedAt: number;
}

/** If no hanging receiver whose turn it is has come for this long, a new round begins: two sweeps of the worker. */
const ROUND_ENDS_MS = 2000;

/**
 * Slots shared by many receivers. Deliveries are claimed oldest first, so without limits those with a long backlog
 * would get every slot:
 *
 * - Late receivers get at most three eighths of the slots, together with hanging ones half of them, and with new ones
 *   three quarters. The rest is left to quick ones, which release their slots within about a second.
 * - The last quarter is for receivers without an attempt in progress.
 * - Once late and hanging receivers use a quarter, each hanging one gets one slot per round, so that one which responds
 *   again is not delayed by the backlogs of the others. Late ones take no turns: one slot per round is less than they
 *   need, so they would not recover from a burst.
 */
export class DeliveryRoom {
  private used = 0;
  private readonly usedBy: Record<Standing, number> = { new: 0, quick: 0, late: 0, hanging: 0 };
  private roundBegan = -Infinity;
  /** Since when a receiver whose turn it is would have got a slot, but none has come. */
  private idleSince = -Infinity;

  /** @param size the number of slots, a multiple of 8 */
  constructor(private readonly size: number) {}

  get free(): number {
    return this.size - this.used;
  }

  get isEmpty(): boolean {
    return this.used === 0;
  }

  /** Whether there is a slot for a receiver, at a time in milliseconds. */
  admits({ standing, used, attemptedAt }: Guest, now: number): boolean {
    if (this.isFullFor(standing) || (used > 0 && this.free <= this.size / 4)) return false;
    if (standing !== 'hanging' || !this.hasTurns(now)) return true;
    return used === 0 && (this.isInTurn(attemptedAt) || this.isRoundOver(now));
  }

  /** Takes a slot for a receiver that {@link admits} accepts. @param now as there; before `attemptedAt` changes */
  take({ standing, attemptedAt }: Guest, now: number): void {
    if (standing === 'hanging' && this.hasTurns(now)) {
      if (!this.isInTurn(attemptedAt)) this.roundBegan = now;
      this.idleSince = now;
    }
    this.used += 1;
    this.usedBy[standing] += 1;
  }

  /** @param standing with which the slot was taken */
  release(standing: Standing, now: number): void {
    if (isSlow(standing) && this.usedBySlow >= this.size / 2) this.idleSince = now;
    this.used -= 1;
    this.usedBy[standing] -= 1;
  }

  private isFullFor(standing: Standing): boolean {
    if (this.free <= 0) return true;
    if (standing === 'quick') return false;
    if (standing === 'late' && this.usedBy.late >= (this.size * 3) / 8) return true;
    if (isSlow(standing) && this.usedBySlow >= this.size / 2) return true;
    return this.usedBy.new + this.usedBySlow >= (this.size * 3) / 4;
  }

  private get usedBySlow(): number {
    return this.usedBy.late + this.usedBy.hanging;
  }

  private hasTurns(now: number): boolean {
    return this.usedBySlow >= this.size / 4 || !this.isRoundOver(now);
  }

  private isInTurn(attemptedAt: number): boolean {
    return attemptedAt < this.roundBegan;
  }

  private isRoundOver(now: number): boolean {
    return now - this.idleSince >= ROUND_ENDS_MS;
  }
}

const isSlow = (standing: Standing): boolean => standing === 'late' || standing === 'hanging';
