/**
 * Releases a slot. The result of the work may change the number of slots of its group.
 *
 * @returns whether rows may be waiting for this slot, because its group was full
 */
export type ReleaseSlot<R> = (result?: R) => boolean;

/**
 * Limits the work in progress in this instance, in total and for each group of rows (a receiver, a network, an
 * account), so that a slow group does not occupy all slots.
 */
export interface Slots<C, G, R> {
  /** An upper bound on the number of free slots; a candidate may not get any of them. */
  readonly free: number;
  /** The groups for which no slot is available now, and those of which others are read first. */
  readonly full: readonly G[];
  /** Whether a group of which others were read first has a slot now; absent if there is no such order. */
  readonly isNextDue?: boolean;
  /** Takes a slot for a candidate; undefined if none is available. */
  take(candidate: C): ReleaseSlot<R> | undefined;
}

/** A fixed number of slots, of which each group can use only its share. */
export class GroupSlots<G> implements Slots<G, G, unknown> {
  private used = 0;
  private readonly groups = new Map<string, { group: G; used: number }>();

  /** @param keyOf returns the key of a candidate's group */
  constructor(
    private readonly total: number,
    private readonly perGroup: number,
    private readonly keyOf: (candidate: G) => string,
  ) {}

  get free(): number {
    return this.total - this.used;
  }

  get full(): G[] {
    return [...this.groups.values()].filter(({ used }) => used >= this.perGroup).map(({ group }) => group);
  }

  take(candidate: G): ReleaseSlot<unknown> | undefined {
    const key = this.keyOf(candidate);
    const known = this.groups.get(key) ?? { group: candidate, used: 0 };
    if (this.free <= 0 || known.used >= this.perGroup) return undefined;
    this.change(key, known, 1);
    return () => {
      const wasFull = this.free <= 0 || known.used >= this.perGroup;
      this.change(key, known, -1);
      return wasFull;
    };
  }

  private change(key: string, known: { group: G; used: number }, by: 1 | -1): void {
    this.used += by;
    known.used += by;
    if (known.used === 0) this.groups.delete(key);
    else this.groups.set(key, known);
  }
}
