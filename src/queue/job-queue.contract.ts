import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobQueue } from './job-queue';
import type { QueueCounter } from './queue.metrics';

export interface JobQueueSubject {
  /** An empty queue of a name of its own, that can be added to at once. */
  open: (counter: QueueCounter) => JobQueue | Promise<JobQueue>;
}

/** Adds up what a queue reports. */
export class FakeCounter implements QueueCounter {
  queued = 0;
  dropped = 0;

  count(queued: number, dropped: number): void {
    this.queued += queued;
    this.dropped += dropped;
  }
}

/** Resolves when a condition holds; a test's own time-out ends it. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(10);
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}`);

/** What every queue promises. Called in the spec of each. */
export function describeJobQueue(kind: string, subject: JobQueueSubject): void {
  describe(`${kind} as JobQueue`, () => {
    let counter: FakeCounter;
    let queue: JobQueue;
    let worked: string[];

    beforeEach(async () => {
      counter = new FakeCounter();
      worked = [];
      queue = await subject.open(counter);
    });

    afterEach(() => queue.close());

    const note = (id: string): Promise<void> => {
      worked.push(id);
      return Promise.resolve();
    };

    it('hands over ids of every form, in the order in which they came', async () => {
      const ids = ['7', '0', 'a-B_c', 'f6a1ad6e-7f3f-4b4f-8a36-2ac5b2b4c5a1', 'with:colon', 'ü'];
      queue.process(1, note);
      for (const id of ids) await queue.add([id]);
      await eventually(() => worked.length === 6);
      expect(worked).toEqual(ids);
      expect(counter).toMatchObject({ queued: 6, dropped: 0 });
    });

    it('keeps what is added before anybody works', async () => {
      await queue.add(['a', 'b']);
      await queue.add([]);
      expect(await queue.depth()).toBe(2);
      queue.process(2, note);
      await eventually(() => worked.length === 2);
      expect(await queue.depth()).toBe(0);
    });

    it('queues an id that waits only once', async () => {
      await queue.add(['a', 'a', 'b']);
      await queue.add(['b', 'c', 'a']);
      expect(await queue.depth()).toBe(3);
      queue.process(1, note);
      await eventually(() => worked.length === 3);
      await sleep(100);
      expect(worked).toEqual(['a', 'b', 'c']);
    });

    it('hands over an id again once it was worked on', async () => {
      queue.process(1, note);
      for (let i = 1; i <= 3; i += 1) {
        await eventually(async () => {
          await queue.add(['a']);
          return worked.length >= i;
        });
      }
    });

    it('works on no more than the bound at once', async () => {
      let most = 0;
      let now = 0;
      queue.process(4, async (id) => {
        now += 1;
        most = Math.max(most, now);
        await sleep(5);
        now -= 1;
        worked.push(id);
      });
      await queue.add(numbered(40));
      await eventually(() => worked.length === 40);
      expect(most).toBe(4);
    });

    it('goes on after work that fails', async () => {
      queue.process(2, async (id) => {
        await note(id);
        if (id !== '5') throw new Error('nobody there');
      });
      await queue.add(numbered(20));
      await eventually(() => worked.length === 20);
      await sleep(100);
      expect([...worked].sort()).toEqual(numbered(20).sort());
    });

    it('goes on after work that throws at once', async () => {
      queue.process(1, (id) => {
        worked.push(id);
        throw new Error('nobody there');
      });
      await queue.add(['a', 'b']);
      await eventually(() => worked.length === 2);
    });

    it('works outside of what its callers are in', async () => {
      const context = new AsyncLocalStorage<string>();
      const seen: unknown[] = [];
      queue.process(1, () => {
        seen.push(context.getStore());
        return Promise.resolve();
      });
      await context.run('transaction', () => queue.add(['a', 'b']));
      await eventually(() => seen.length === 2);
      expect(seen).toEqual([undefined, undefined]);
    });

    it('carries 10 000 ids, each once', async () => {
      const ids = numbered(10_000);
      await queue.add(ids);
      expect(counter).toMatchObject({ queued: 10_000, dropped: 0 });
      queue.process(50, note);
      await eventually(() => worked.length >= 10_000);
      expect(new Set(worked).size).toBe(10_000);
      expect(worked).toHaveLength(10_000);
    }, 60_000);

    it('waits for work under way when it closes, and begins no more', async () => {
      const finished: string[] = [];
      queue.process(2, async (id) => {
        worked.push(id);
        await sleep(200);
        finished.push(id);
      });
      await queue.add(['a', 'b', 'c', 'd']);
      await eventually(() => worked.length === 2);
      await Promise.all([queue.close(), queue.close()]);
      expect(finished).toEqual(['a', 'b']);
      await queue.close();
      await sleep(300);
      expect(worked).toEqual(['a', 'b']);
    });

    it('drops what is added after it was closed', async () => {
      await queue.close();
      await queue.add(['a', 'b']);
      expect(counter).toMatchObject({ queued: 0, dropped: 2 });
    });

    it('closes while work hangs', async () => {
      queue.process(1, () => new Promise(() => undefined));
      await queue.add(['a']);
      await eventually(async () => (await queue.depth()) === 0);
      await queue.close();
    });
  });
}
