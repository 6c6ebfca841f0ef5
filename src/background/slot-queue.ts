import type { GroupSlots } from './slots';

interface Waiting<G> {
  candidate: G;
  admit: (release: () => void) => void;
  refuse: (reason: Error) => void;
}

/**
 * Makes work wait until a slot is available. Work starts in the order in which it was added, except that work of a full
 * group does not hold up others.
 */
export class SlotQueue<G> {
  private waiting: Waiting<G>[] = [];

  constructor(private readonly slots: GroupSlots<G>) {}

  /** Runs work once it gets a slot. @throws the reason of {@link stop} if it is called first */
  async run<R>(candidate: G, work: () => Promise<R>): Promise<R> {
    const release = await new Promise<() => void>((admit, refuse) => {
      this.waiting.push({ candidate, admit, refuse });
      this.admitWaiting();
    });
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Ends the wait of all that have no slot yet. */
  stop(reason: Error): void {
    for (const { refuse } of this.waiting.splice(0)) refuse(reason);
  }

  private admitWaiting(): void {
    this.waiting = this.waiting.filter(({ candidate, admit }) => {
      const release = this.slots.take(candidate);
      if (!release) return true;
      admit(() => {
        release();
        this.admitWaiting();
      });
      return false;
    });
  }
}
