import { settledOrLate } from '../common/event-loop/within';

/** How long a read waits for the previous one, which may hang. */
const PATIENCE_MS = 1_000;

/**
 * A read that may take long. Only one is in progress at a time; callers that arrive meanwhile share the next one, which
 * starts after all of them have called. No result is cached, so no caller gets a state older than its call.
 */
export class SharedRead<T> {
  private next: Promise<T> | undefined;
  private inProgress: Promise<unknown> | undefined;

  constructor(private readonly read: () => Promise<T>) {}

  get(): Promise<T> {
    return (this.next ??= this.begin());
  }

  private async begin(): Promise<T> {
    if (this.inProgress) await settledOrLate(this.inProgress, PATIENCE_MS);
    // Other callers in this turn of the event loop share the read too.
    await new Promise((resolve) => setImmediate(resolve));
    this.next = undefined;
    const value = this.read();
    const inProgress = value
      .catch(() => undefined)
      .finally(() => {
        if (this.inProgress === inProgress) this.inProgress = undefined;
      });
    this.inProgress = inProgress;
    return value;
  }
}
