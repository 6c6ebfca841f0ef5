import type { ReleaseSlot } from '../../background/slots';
import { type Conduct, DeliverySlots } from './delivery-slots';

const TICK_MS = 25;
const SECOND = 1000;
/** When many slots become free at once, the worker reads the deliveries of one backlog after another. */
const PROMPT_MS = 4 * SECOND;
const ACCEPTS_QUICKLY: Conduct = { response: 'accepted', ms: 50 };
const ACCEPTS_LATE: Conduct = { response: 'accepted', ms: 9900 };
const HANGS: Conduct = { response: 'none', ms: 10_000 };

describe('Deliveries to a healthy receiver', () => {
  let queue: Queue;

  beforeEach(() => {
    queue = new Queue();
  });

  const names = (kind: string, count: number) => Array.from({ length: count }, (_, i) => `${kind} ${i}`);

  /** How long the healthy receiver waits for an attempt, after the others have occupied the slots for a while. */
  function waitOf(others: readonly string[], host: (name: string) => string = (name) => name): number {
    for (const name of others) queue.put(name, host(name), 1000);
    queue.run(60 * SECOND);
    return queue.put('healthy', host('healthy'), 1).waited();
  }

  it.each([16, 64, 120])('do not wait for the backlogs of %i receivers that accept theirs late', (count) => {
    queue.conductOf = (name) => (name === 'healthy' ? ACCEPTS_QUICKLY : ACCEPTS_LATE);
    expect(waitOf(names('late', count))).toBeLessThan(PROMPT_MS);
    queue.run(SECOND);
    expect(queue.put('healthy', 'healthy', 1).waited()).toBeLessThan(PROMPT_MS);
  });

  it('do not wait for the backlogs of receivers of the same host that accept theirs late', () => {
    queue.conductOf = (name) => (name === 'healthy' ? ACCEPTS_QUICKLY : ACCEPTS_LATE);
    expect(waitOf(names('late', 20), () => 'host')).toBeLessThan(PROMPT_MS);
  });

  it('do not wait for the backlogs of receivers that are as quick', () => {
    queue.conductOf = () => ({ response: 'accepted', ms: 900 });
    expect(waitOf(names('quick', 100))).toBeLessThan(PROMPT_MS);
  });

  it('do not wait for the backlog of a receiver that fails at once', () => {
    queue.conductOf = (name) => (name === 'failing' ? { response: 'none', ms: 5 } : ACCEPTS_QUICKLY);
    queue.put('failing', 'failing', 5000);
    queue.run(SECOND);
    expect(queue.put('healthy', 'healthy', 1).waited()).toBeLessThan(PROMPT_MS);
  });

  it('do not wait for the backlogs of a few receivers that respond before the next deliveries are read', () => {
    queue.conductOf = () => ({ response: 'accepted', ms: 20 });
    for (const name of names('quick', 3)) queue.put(name, name, 100_000);
    queue.run(30 * SECOND);
    expect(queue.put('healthy', 'healthy', 1).waited()).toBeLessThan(PROMPT_MS);
  });

  it('do not wait for receivers that hang, if it is new', () => {
    queue.conductOf = (name) => (name === 'healthy' ? ACCEPTS_QUICKLY : HANGS);
    expect(waitOf(names('hanging', 500))).toBeLessThan(PROMPT_MS);
  });

  it('do not wait for the backlogs of receivers that accept theirs late, after a timeout', () => {
    queue.conductOf = (name) => (name === 'healthy' ? HANGS : ACCEPTS_LATE);
    queue.put('healthy', 'healthy', 1);
    for (const name of names('late', 16)) queue.put(name, name, 1000);
    queue.run(60 * SECOND);
    queue.conductOf = (name) => (name === 'healthy' ? ACCEPTS_QUICKLY : ACCEPTS_LATE);
    expect(queue.put('healthy', 'healthy', 1).waited()).toBeLessThan(PROMPT_MS);
  });

  it('wait for one attempt of each receiver that hangs after a start', () => {
    queue.conductOf = (name) => (name === 'healthy' ? ACCEPTS_QUICKLY : HANGS);
    for (const name of names('hanging', 500)) queue.put(name, name, 1000);
    expect(queue.put('healthy', 'healthy', 1).waited()).toBeLessThan(60 * SECOND);
  });

  it('wait for one attempt of each receiver that hangs, after a timeout', () => {
    queue.conductOf = () => HANGS;
    queue.put('healthy', 'healthy', 1);
    expect(waitOf(names('hanging', 500))).toBeLessThan(60 * SECOND);
    queue.conductOf = (name) => (name === 'healthy' ? ACCEPTS_QUICKLY : HANGS);
    expect(queue.put('healthy', 'healthy', 1).waited()).toBeLessThan(60 * SECOND);
    queue.run(SECOND);
    expect(queue.put('healthy', 'healthy', 1).waited()).toBeLessThan(PROMPT_MS);
  });
});

describe('Deliveries to receivers that take more than a second', () => {
  it('recover from a burst', () => {
    const queue = new Queue();
    queue.conductOf = () => ({ response: 'accepted', ms: 1200 });
    const names = Array.from({ length: 45 }, (_, i) => `receiver ${i}`);
    const oneEachSecond = (seconds: number): void => {
      for (let i = 0; i < seconds; i += 1) {
        for (const name of names) queue.put(name, name, 1);
        queue.run(SECOND);
      }
    };
    oneEachSecond(30);
    for (const name of names) queue.put(name, name, 60);
    oneEachSecond(90);
    expect(queue.put('receiver 0', 'receiver 0', 1).waited()).toBeLessThan(PROMPT_MS);
  });
});

interface Row {
  receiver: string;
  host: string;
  count: number;
}

/** Due deliveries, oldest first, which a worker claims as the database returns them. Time is simulated. */
class Queue {
  conductOf: (receiver: string) => Conduct = () => ACCEPTS_QUICKLY;
  private now = 0;
  private readonly slots = new DeliverySlots(() => this.now);
  private rows: Row[] = [];
  private inProgress: { endsAt: number; conduct: Conduct; release: ReleaseSlot<Conduct> }[] = [];

  /** Adds deliveries. `waited` runs until all of them have been attempted, and returns how long that took. */
  put(receiver: string, host: string, count: number): { waited: () => number } {
    const row = { receiver, host, count };
    this.rows.push(row);
    const start = this.now;
    const waited = (): number => {
      while (row.count > 0 && this.now - start < 600 * SECOND) this.tick();
      return this.now - start;
    };
    return { waited };
  }

  run(ms: number): void {
    for (const end = this.now + ms; this.now < end;) this.tick();
  }

  private tick(): void {
    this.now += TICK_MS;
    const ended = this.inProgress.filter(({ endsAt }) => endsAt <= this.now);
    this.inProgress = this.inProgress.filter(({ endsAt }) => endsAt > this.now);
    for (const { conduct, release } of ended) release(conduct);
    this.claim();
  }

  private claim(): void {
    this.rows = this.rows.filter(({ count }) => count > 0);
    const full = new Set(this.slots.full);
    let limit = Math.min(256, 2 * this.slots.free);
    for (const row of this.rows) {
      if (full.has(row.receiver)) continue;
      const candidates = Math.min(limit, row.count);
      limit -= candidates;
      for (let i = 0; i < candidates; i += 1) this.attempt(row);
      if (limit === 0) return;
    }
  }

  private attempt(row: Row): void {
    const release = this.slots.take({ notificationId: row.receiver, host: row.host });
    if (!release) return;
    row.count -= 1;
    const conduct = this.conductOf(row.receiver);
    this.inProgress.push({ endsAt: this.now + conduct.ms, conduct, release });
  }
}
