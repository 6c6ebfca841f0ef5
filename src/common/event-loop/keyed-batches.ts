import { Batches } from './batches';

interface Queue<T> {
  readonly batches: Batches<T>;
  /** Items that are not worked on to the end. */
  open: number;
}

/** {@link Batches} of which each key has its own, so that a key whose work takes long keeps no other one waiting. */
export class KeyedBatches<T> {
  private readonly queues = new Map<string, Queue<T>>();

  /** @param size of a batch at most */
  constructor(
    private readonly size: number,
    private readonly work: (items: T[]) => Promise<void>,
  ) {}

  /** Whether work on items with this key is in progress. */
  has(key: string): boolean {
    return this.queues.has(key);
  }

  /** Resolves or rejects as the work on the batch does that the item is in. */
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
