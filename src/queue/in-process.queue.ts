import { AsyncResource } from 'node:async_hooks';
import type { JobQueue } from './job-queue';
import type { QueueCounter } from './queue.metrics';
import { RunningJobs } from './running-jobs';

const MAX_WAITING = 10_000;
const CLOSING_MS = 2000;

/** Ids wait in this process, first in, first out. */
export class InProcessQueue implements JobQueue {
  private readonly waiting = new Set<string>();
  private readonly running: RunningJobs;
  private begin: () => void = () => undefined;
  private closing: Promise<void> | undefined;

  constructor(
    name: string,
    private readonly counter: QueueCounter,
    private readonly maxWaiting = MAX_WAITING,
  ) {
    this.running = new RunningJobs(name);
  }

  add(ids: readonly string[]): Promise<void> {
    let dropped = 0;
    for (const id of ids) {
      if (this.closing || (this.waiting.size >= this.maxWaiting && !this.waiting.has(id))) dropped += 1;
      else this.waiting.add(id);
    }
    this.counter.count(ids.length - dropped, dropped);
    setImmediate(this.begin);
    return Promise.resolve();
  }

  process(concurrency: number, work: (id: string) => Promise<void>): void {
    // Bound to this moment: work must not join the transaction that its id was added in.
    this.begin = AsyncResource.bind(() => {
      for (const id of this.waiting) {
        if (this.running.count >= concurrency) return;
        this.waiting.delete(id);
        void this.running.run(id, work).then(this.begin);
      }
    });
    setImmediate(this.begin);
  }

  depth(): Promise<number> {
    return Promise.resolve(this.waiting.size);
  }

  close(): Promise<void> {
    this.waiting.clear();
    return (this.closing ??= this.running.settled(CLOSING_MS));
  }
}
