/**
 * Releases a slot. The result of the work may change how many slots its group gets.
 *
 * @returns whether rows may be waiting for this slot, because its group was full
 */
export type ReleaseSlot<R> = (result?: R) => boolean;

/**
 * Limits the work in progress in this instance, in total and for each group of rows (a receiver, a network, an
 * account), so that a slow group does not use all slots.
 */
export interface Slots<C, G, R> {
  /** An upper bound of the free slots; some candidates may get none of them. */
  readonly free: number;
  /** Groups that cannot get a slot now. */
  readonly full: readonly G[];
  /** A slot for a candidate, or undefined. */
  take(candidate: C): ReleaseSlot<R> | undefined;
}

/** A fixed number of slots; each group gets no more than its share. */
export class GroupSlots<G> implements Slots<G, G, unknown> {
  private used = 0;
  private readonly groups = new Map<string, { group: G; used: number }>();

  /** @param keyOf the key of a group */
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
