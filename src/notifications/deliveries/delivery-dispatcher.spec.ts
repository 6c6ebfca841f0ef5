import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigService } from '@nestjs/config';
import type { AttemptResult } from './attempt-result';
import type { ClaimedDelivery, DeliveriesService, FinishedAttempt } from './deliveries.service';
import { DeliveryDispatcher } from './delivery-dispatcher';
import type { DueDelivery } from './delivery.entity';
import type { DeliveryMetrics } from './delivery.metrics';
import type { DeliveryQueue } from './delivery-queue';
import type { DeliverySender } from './delivery-sender';

const DELIVERED: AttemptResult = {
  startedAt: new Date(),
  durationMs: 1,
  status: 200,
  failure: null,
  answer: '',
};
const CUT_OFF: AttemptResult = { ...DELIVERED, status: null, failure: 'aborted', answer: null };

describe('DeliveryDispatcher', () => {
  let table: FakeTable;
  let sender: FakeSender;
  let queue: FakeQueue;
  let dispatcher: DeliveryDispatcher;

  beforeEach(() => {
    table = new FakeTable();
    sender = new FakeSender();
    queue = new FakeQueue();
    dispatcher = new DeliveryDispatcher(
      table as unknown as DeliveriesService,
      sender as unknown as DeliverySender,
      queue as unknown as DeliveryQueue,
      { observe: () => undefined } as unknown as DeliveryMetrics,
      new ConfigService({ background: true }),
    );
  });

  afterEach(async () => {
    sender.answerAll();
    await dispatcher.onModuleDestroy();
  });

  it('attempts once what the queue names, twice over, while the sweeper finds it', async () => {
    table.put('a');
    dispatcher.onApplicationBootstrap();
    await Promise.all([queue.work('a'), queue.work('a')]);
    await eventually(() => table.noted.length > 0);
    expect(sender.sent).toEqual(['a']);
    expect(table.noted).toEqual(['a']);
  });

  it('attempts what no queue names', async () => {
    for (let i = 0; i < 600; i += 1) table.put(`${i}`, `receiver ${i % 100}`);
    dispatcher.onApplicationBootstrap();
    await eventually(() => table.noted.length === 600);
    expect(new Set(sender.sent).size).toBe(600);
  });

  it('does not let receivers wait for others that hang, also on the same host', async () => {
    for (let i = 0; i < 300; i += 1) table.put(`slow ${i}`, `slow ${i % 30}`);
    for (let i = 0; i < 30; i += 1) table.put(`quick ${i}`, `quick ${i % 10}`);
    sender.hangs = (id) => id.startsWith('slow');
    dispatcher.onApplicationBootstrap();
    await eventually(() => table.noted.length === 30);
    expect(table.noted.every((id) => id.startsWith('quick'))).toBe(true);
    expect(sender.hanging).toBeGreaterThan(0);
  });

  it.each<[string, () => void]>([
    ['somebody else claims it', () => (table.loses = true)],
    ['it cannot be claimed', () => (table.failing = 'claim')],
    ['the attempt throws', () => (sender.fails = true)],
    ['what came of it cannot be kept', () => (table.failing = 'note')],
  ])('gives its slot back when %s', async (_case, goWrong) => {
    goWrong();
    dispatcher.onApplicationBootstrap();
    for (let i = 0; i < 20; i += 1) {
      table.put(`lost ${i}`);
      await queue.work(`lost ${i}`);
    }
    await eventually(() => table.touched >= 20);
    table.clear();
    sender.fails = false;
    sender.hangs = () => true;
    table.put('x');
    await queue.work('x');
    await eventually(() => sender.hanging === 1);
  });

  it('goes on by itself after the database was gone', async () => {
    table.failing = 'due';
    dispatcher.onApplicationBootstrap();
    table.put('a');
    await queue.work('a');
    expect(sender.sent).toEqual([]);
    table.failing = undefined;
    await eventually(() => table.noted.length === 1);
  });

  it('stopped, finishes what is under way and begins nothing', async () => {
    sender.hangs = () => true;
    dispatcher.onApplicationBootstrap();
    table.put('a');
    await queue.work('a');
    await eventually(() => sender.hanging === 1);
    const stopped = dispatcher.onModuleDestroy();
    table.put('b', 'another');
    await queue.work('b');
    sender.answerAll();
    await stopped;
    expect(sender.sent).toEqual(['a']);
    expect(table.noted).toEqual(['a']);
  });

  it('stopped, cuts off what does not end and releases it for others', async () => {
    sender.hangs = () => true;
    dispatcher.onApplicationBootstrap();
    table.put('a');
    await queue.work('a');
    await eventually(() => sender.hanging === 1);
    await dispatcher.onModuleDestroy();
    expect(table.released).toEqual(['a']);
    expect(table.noted).toEqual([]);
  });

  it('stopped while it claims, waits for what it has claimed', async () => {
    dispatcher.onApplicationBootstrap();
    table.put('a');
    const open = table.hold();
    const worked = queue.work('a');
    await eventually(() => table.touched > 0);
    const stopped = dispatcher.onModuleDestroy();
    open();
    await Promise.all([worked, stopped]);
    expect(table.noted).toEqual(['a']);
  });
});

/** Deliveries of one host, due until they are claimed. */
class FakeTable {
  readonly noted: string[] = [];
  readonly released: string[] = [];
  failing: 'due' | 'claim' | 'note' | undefined;
  /** Somebody else claims everything first. */
  loses = false;
  /** How many were claimed, or were to be. */
  touched = 0;
  private readonly rows = new Map<string, DueDelivery>();
  private held: Promise<void> = Promise.resolve();

  put(id: string, receiver = 'receiver'): void {
    const notification = { id: receiver, url: 'https://hooks.example.com/path' };
    this.rows.set(id, { id, notification } as DueDelivery);
  }

  clear(): void {
    this.rows.clear();
    this.failing = undefined;
    this.loses = false;
  }

  hold(): () => void {
    let open = (): void => undefined;
    this.held = new Promise((resolve) => (open = resolve));
    return open;
  }

  async due(limit: number, without: readonly string[]): Promise<DueDelivery[]> {
    await this.answer('due');
    return [...this.rows.values()]
      .filter(({ notification }) => !without.includes(notification.id))
      .slice(0, limit);
  }

  async dueAmong(ids: readonly string[]): Promise<DueDelivery[]> {
    await this.answer('due');
    return ids.flatMap((id) => this.rows.get(id) ?? []);
  }

  async claim(due: readonly DueDelivery[]): Promise<ClaimedDelivery[]> {
    this.touched += due.length;
    await this.held;
    await this.answer('claim');
    const taken = due.filter(({ id }) => this.rows.delete(id));
    return this.loses ? [] : taken.map((delivery) => ({ delivery, lease: new Date() }));
  }

  async note(attempts: readonly FinishedAttempt[]): Promise<void> {
    await this.answer('note');
    this.noted.push(...attempts.map(({ delivery }) => delivery.id));
  }

  release({ delivery }: ClaimedDelivery): Promise<void> {
    this.released.push(delivery.id);
    return Promise.resolve();
  }

  private async answer(statement: string): Promise<void> {
    await new Promise(setImmediate);
    if (this.failing === statement) throw new Error('The database is gone');
  }
}

class FakeSender {
  readonly sent: string[] = [];
  fails = false;
  hangs: (id: string) => boolean = () => false;
  private readonly waiting = new Set<(result: AttemptResult) => void>();

  get hanging(): number {
    return this.waiting.size;
  }

  send({ id }: DueDelivery, signal: AbortSignal): Promise<AttemptResult> {
    this.sent.push(id);
    if (this.fails) return Promise.reject(new Error('Not thought of'));
    if (!this.hangs(id)) return Promise.resolve(DELIVERED);
    return new Promise((resolve) => {
      this.waiting.add(resolve);
      signal.addEventListener('abort', () => {
        resolve(CUT_OFF);
      });
    });
  }

  answerAll(): void {
    for (const resolve of this.waiting) resolve(DELIVERED);
    this.waiting.clear();
  }
}

class FakeQueue {
  work: (id: string) => Promise<void> = () => Promise.resolve();

  process(_concurrency: number, work: (id: string) => Promise<void>): void {
    this.work = work;
  }
}

async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}
