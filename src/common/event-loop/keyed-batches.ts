import { Batches } from './batches';

interface Queue<T> {
  readonly batches: Batches<T>;
  /** Items that are not finished. */
  open: number;
}

/** Separate {@link Batches} for each key, so that slow work of one key does not delay others. */
export class KeyedBatches<T> {
  private readonly queues = new Map<string, Queue<T>>();

  /** @param size the maximum size of a batch */
  constructor(
    private readonly size: number,
    private readonly work: (items: T[]) => Promise<void>,
  ) {}

  /** Whether work on items with this key is in progress. */
  has(key: string): boolean {
    return this.queues.has(key);
  }

  /** Resolves or rejects with the work on the item's batch. */
  async add(key: string, item: T): Promise<void> {
    const queue = this.queues.get(key) ?? { batches: new Batches(this.size, this.work), open: 0 };
    this.queues.set(key, queue);
    queue.open += 1;
    try {
      await queue.batches.add(item);
    } finally {
      queue.open -= 1;
      if (queue.open === 0) this.queues.delete(key);
    }
  }
}
