import { outsideRequests } from '../http/request-context';
import { gather } from './gather';

/** Turns of the event loop that a batch waits at most. */
const MAX_TURNS = 8;

/** Has work done for many at once: what comes while a batch is being worked on makes up the next one. */
export class Batches<T> {
  private readonly waiting: { item: T; resolve: () => void; reject: (reason: unknown) => void }[] = [];
  private working = false;

  /** @param size of a batch at most */
  constructor(
    private readonly size: number,
    private readonly work: (items: T[]) => Promise<void>,
  ) {}

  /** Resolves or rejects as the work on the batch does that the item is in. */
  add(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      // The work is not of the request that happens to come first.
      if (!this.working) void outsideRequests(() => this.run());
    });
  }

  private async run(): Promise<void> {
    this.working = true;
    while (this.waiting.length > 0) {
      await gather(() => this.waiting.length, { members: this.size, turns: MAX_TURNS });
      const batch = this.waiting.splice(0, this.size);
      try {
        await this.work(batch.map(({ item }) => item));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.working = false;
  }
}
