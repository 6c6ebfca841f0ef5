import { outsideRequests } from '../http/request-context';
import { gather } from './gather';

/** The maximum number of turns of the event loop that a batch waits. */
const MAX_TURNS = 8;

/** Processes items in batches: items that arrive while a batch is processed form the next one. */
export class Batches<T> {
  private readonly waiting: { item: T; resolve: () => void; reject: (reason: unknown) => void }[] = [];
  private working = false;

  /** @param size the maximum size of a batch */
  constructor(
    private readonly size: number,
    private readonly work: (items: T[]) => Promise<void>,
  ) {}

  /** Resolves or rejects with the work on the item's batch. */
  add(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      // Detached from requests: the work does not belong to the request that happens to come first.
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
