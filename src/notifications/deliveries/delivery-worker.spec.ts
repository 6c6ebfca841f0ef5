import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigService } from '@nestjs/config';
import type { AttemptResult } from './attempt-result';
import type { ClaimRequest } from '../../background/worker';
import type {
  ClaimedDelivery,
  DeliveriesService,
  DeliveryCandidate,
  FinishedAttempt,
} from './deliveries.service';
import type { DueDelivery } from './delivery.entity';
import type { DeliveryMetrics } from './delivery.metrics';
import type { DeliverySender } from './delivery-sender';
import { DeliveryWorker } from './delivery-worker';

const DELIVERED: AttemptResult = {
  startedAt: new Date(),
  durationMs: 1,
  status: 200,
  failure: null,
  answer: '',
};
const CUT_OFF: AttemptResult = { ...DELIVERED, status: null, failure: 'aborted', answer: null };

describe('DeliveryWorker', () => {
  let table: FakeTable;
  let sender: FakeSender;
  let worker: DeliveryWorker;

  beforeEach(() => {
    table = new FakeTable();
    sender = new FakeSender();
    worker = new DeliveryWorker(
      table as unknown as DeliveriesService,
      sender as unknown as DeliverySender,
      { observe: () => undefined } as unknown as DeliveryMetrics,
      new ConfigService({ background: true }),
    );
  });

  afterEach(async () => {
    sender.respondToAll();
    await worker.onModuleDestroy();
  });

  it('attempts a delivery once when woken twice', async () => {
    worker.onApplicationBootstrap();
    table.put('a');
    worker.wake();
    worker.wake();
    await eventually(() => table.recorded.length > 0);
    expect(sender.sent).toEqual(['a']);
    expect(table.recorded).toEqual(['a']);
  });

  it('attempts deliveries for which it was not woken', async () => {
    for (let i = 0; i < 600; i += 1) table.put(`${i}`, `receiver ${i % 100}`);
    worker.onApplicationBootstrap();
    await eventually(() => table.recorded.length === 600);
    expect(new Set(sender.sent).size).toBe(600);
  });

  it('does not delay receivers when others on the same host hang', async () => {
    for (let i = 0; i < 300; i += 1) table.put(`slow ${i}`, `slow ${i % 30}`);
    for (let i = 0; i < 30; i += 1) table.put(`quick ${i}`, `quick ${i % 10}`);
    sender.hangs = (id) => id.startsWith('slow');
    worker.onApplicationBootstrap();
    await eventually(() => table.recorded.length === 30);
    expect(table.recorded.every((id) => id.startsWith('quick'))).toBe(true);
    expect(sender.hanging).toBeGreaterThan(0);
  });

  it.each<[string, () => void]>([
    ['somebody else claims it', () => (table.loses = true)],
    ['it cannot be claimed', () => (table.failing = 'claim')],
    ['the attempt throws', () => (sender.fails = true)],
    ['its result cannot be saved', () => (table.failing = 'record')],
  ])('releases its slot when %s', async (_case, goWrong) => {
    goWrong();
    worker.onApplicationBootstrap();
    for (let i = 0; i < 20; i += 1) {
      table.put(`lost ${i}`);
      worker.wake();
      // Every second time, the receiver is passed over.
      await eventually(() => {
        worker.wake();
        return table.touched > i;
      });
    }
    await sleep(20);
    table.clear();
    sender.fails = false;
    sender.hangs = () => true;
    table.put('x');
    worker.wake();
    await eventually(() => sender.hanging === 1);
  });

  it('recovers by itself after a database outage', async () => {
    table.failing = 'read';
    worker.onApplicationBootstrap();
    table.put('a');
    worker.wake();
    expect(sender.sent).toEqual([]);
    table.failing = undefined;
    await eventually(() => table.recorded.length === 1);
  });

  it('finishes attempts in progress and starts no others when stopped', async () => {
    sender.hangs = () => true;
    worker.onApplicationBootstrap();
    table.put('a');
    worker.wake();
    await eventually(() => sender.hanging === 1);
    const stopped = worker.onModuleDestroy();
    table.put('b', 'another');
    worker.wake();
    sender.respondToAll();
    await stopped;
    expect(sender.sent).toEqual(['a']);
    expect(table.recorded).toEqual(['a']);
  });

  it('aborts attempts that do not end and releases their deliveries when stopped', async () => {
    sender.hangs = () => true;
    worker.onApplicationBootstrap();
    table.put('a');
    worker.wake();
    await eventually(() => sender.hanging === 1);
    await worker.onModuleDestroy();
    expect(table.released).toEqual(['a']);
    expect(table.recorded).toEqual([]);
  });

  it('finishes the deliveries it is claiming when stopped', async () => {
    worker.onApplicationBootstrap();
    table.put('a');
    const open = table.hold();
    worker.wake();
    await eventually(() => table.touched > 0);
    const stopped = worker.onModuleDestroy();
    open();
    await stopped;
    expect(table.recorded).toEqual(['a']);
  });
});

/** Deliveries to a single host, which are due until they are claimed. */
class FakeTable {
  readonly recorded: string[] = [];
  readonly released: string[] = [];
  failing: 'read' | 'claim' | 'record' | undefined;
  /** Whether another instance claims everything first. */
  loses = false;
  /** The number of deliveries that were claimed, or were about to be. */
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

  async claim({ limit, full, admit }: ClaimRequest<DeliveryCandidate, string>): Promise<ClaimedDelivery[]> {
    await this.respond('read');
    const admitted = [...this.rows.values()]
      .filter(({ notification }) => !full.includes(notification.id))
      .slice(0, limit)
      .filter(({ id, notification }) => admit({ id, notificationId: notification.id, host: 'one' }));
    this.touched += admitted.length;
    await this.held;
    await this.respond('claim');
    const taken = admitted.filter(({ id }) => this.rows.delete(id));
    return this.loses ? [] : taken.map((row) => ({ row, lease: new Date() }));
  }

  async record(attempts: readonly FinishedAttempt[]): Promise<void> {
    await this.respond('record');
    this.recorded.push(...attempts.map(({ row }) => row.id));
  }

  release({ row }: ClaimedDelivery): Promise<void> {
    this.released.push(row.id);
    return Promise.resolve();
  }

  private async respond(statement: string): Promise<void> {
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

  respondToAll(): void {
    for (const resolve of this.waiting) resolve(DELIVERED);
    this.waiting.clear();
  }
}

async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}
