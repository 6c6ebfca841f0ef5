import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { currentRequest, runWithRequest } from '../common/http/request-context';
import type { Claim } from './leased-rows';
import { GroupSlots } from './slots';
import { type ClaimRequest, Worker } from './worker';

interface Row {
  id: string;
  group: string;
}

const TOTAL = 8;
const PER_GROUP = 3;

describe('Worker', () => {
  let rows: FakeRows;
  let worker: Worker<Row, Row, Row, void>;

  beforeEach(() => {
    rows = new FakeRows();
    worker = new Worker({
      name: 'fake',
      slots: new GroupSlots<Row>(TOTAL, PER_GROUP, ({ group }) => group),
      batch: 10,
      paceMs: 5,
      stopMs: 200,
      claim: (request) => rows.claim(request),
      process: (claim, cutOff) => rows.process(claim, cutOff),
    });
  });

  afterEach(async () => {
    rows.finishAll();
    await worker.stop();
  });

  it('processes rows that are due at the start, and later ones without being woken', async () => {
    rows.add('a');
    worker.resume();
    await eventually(() => rows.processed.length === 1);
    rows.add('b');
    await eventually(() => rows.processed.length === 2);
  });

  it('starts immediately when it is woken', async () => {
    worker.resume();
    await eventually(() => rows.reads > 0);
    const start = performance.now();
    for (let i = 1; i <= 10; i += 1) {
      rows.add(`${i}`);
      worker.wake();
      await eventually(() => rows.processed.length === i);
    }
    // With one sweep per row they would take 10 s.
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('reads only recently due rows when it is woken, and all due rows each second', async () => {
    worker.resume();
    await eventually(() => rows.reads > 0);
    rows.sinces.length = 0;
    const start = performance.now();
    while (performance.now() - start < 2500) {
      worker.wake();
      await sleep(20);
    }
    expect(rows.sinces.length).toBeGreaterThan(20);
    const sweeps = rows.sinces.filter((since) => since === undefined);
    expect(sweeps.length).toBeGreaterThan(0);
    expect(sweeps.length).toBeLessThan(5);
  });

  it('reads again if it was woken while reading', async () => {
    const open = rows.hold();
    worker.resume();
    await eventually(() => rows.reads === 1);
    worker.wake();
    open();
    rows.add('a');
    await eventually(() => rows.processed.length === 1);
    const [sweep, wake] = rows.sinces;
    expect([sweep, wake]).toEqual([undefined, expect.any(Date)]);
  });

  it('processes no more rows at once than its slots allow, per group and in total, and then the rest', async () => {
    rows.hang = true;
    for (let i = 0; i < 50; i += 1) rows.add(`${i}`, `group ${i % 2}`);
    worker.resume();
    await eventually(() => rows.inProgress.size === 2 * PER_GROUP);
    for (let i = 0; i < 50; i += 1) rows.add(`other ${i}`, `group ${2 + (i % 10)}`);
    worker.wake();
    await eventually(() => rows.inProgress.size === TOTAL);
    await sleep(50);
    expect(rows.inProgress.size).toBe(TOTAL);
    rows.hang = false;
    rows.finishAll();
    await eventually(() => rows.processed.length === 100);
    expect(rows.most).toBe(TOTAL);
    expect(new Set(rows.processed).size).toBe(100);
  });

  it('does not read the rows of full groups, which could hide others', async () => {
    rows.hang = true;
    for (let i = 0; i < 100; i += 1) rows.add(`slow ${i}`, 'slow');
    worker.resume();
    await eventually(() => rows.inProgress.size === PER_GROUP);
    rows.add('quick', 'quick');
    worker.wake();
    await eventually(() => rows.inProgress.has('quick'));
  });

  it('claims nothing while it is paused, and continues when it is resumed', async () => {
    rows.hang = true;
    rows.add('a');
    worker.resume();
    await eventually(() => rows.inProgress.size === 1);
    worker.pause();
    rows.add('b');
    worker.wake();
    await sleep(50);
    rows.finishAll();
    await eventually(() => rows.processed.length === 1);
    await sleep(50);
    expect(rows.inProgress.size).toBe(0);
    worker.resume();
    await eventually(() => rows.processed.length === 2);
  });

  it('processes rows outside the context of the caller that wakes it', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    rows.observe = () => seen.push(context.getStore());
    worker.resume();
    await eventually(() => rows.reads > 0);
    context.run('unit of work', () => {
      rows.add('a');
      worker.wake();
    });
    await eventually(() => seen.length === 1);
    expect(seen).toEqual([undefined]);
  });

  it('processes a row that was claimed elsewhere, in a slot', async () => {
    rows.hang = true;
    const begin = (id: string) => {
      const row = { id, group: 'one' };
      return worker.begin(row, { row, lease: new Date() });
    };
    const begun = ['a', 'b', 'c'].map(begin);
    expect(begin('d')).toBeUndefined();
    rows.finishAll();
    for (const check of begun) await check;
    expect(rows.processed).toEqual(['a', 'b', 'c']);
    await worker.stop();
    expect(begin('e')).toBeUndefined();
  });

  it('processes a row outside the request that starts it', async () => {
    const seen: unknown[] = [];
    rows.observe = () => seen.push(currentRequest());
    const row = { id: 'a', group: 'a' };
    await new Promise<void>((resolve) => {
      runWithRequest('id', () => void worker.begin(row, { row, lease: new Date() })?.then(resolve));
    });
    expect(seen).toEqual([undefined]);
  });

  it('continues after an error in processing', async () => {
    rows.observe = ({ id }) => {
      if (id.startsWith('bad')) throw new Error('not thought of');
    };
    for (let i = 0; i < 20; i += 1) rows.add(`bad ${i}`);
    rows.add('good');
    worker.resume();
    await eventually(() => rows.processed.includes('good'));
  });

  it('logs a failure to claim rows when it begins, when its cause changes, and when it ends', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
    const claim = jest.spyOn(rows, 'claim');
    const failing = async (cause: string): Promise<void> => {
      claim.mockClear().mockRejectedValue(new Error(cause));
      while (claim.mock.calls.length < 3) {
        worker.wake();
        await sleep(1);
      }
    };
    try {
      worker.resume();
      await failing('down');
      await failing('full');
      claim.mockRestore();
      rows.add('a');
      worker.wake();
      await eventually(() => rows.processed.length === 1);
      const message = 'Due rows could not be claimed';
      expect(warn.mock.calls).toEqual([
        [message, { worker: 'fake', cause: 'down' }],
        [message, { worker: 'fake', cause: 'full' }],
      ]);
      expect(log.mock.calls).toEqual([['Due rows are claimed again', { worker: 'fake' }]]);
    } finally {
      jest.restoreAllMocks();
    }
  });

  it('stops within its time limit while work hangs, aborts it, and claims nothing more', async () => {
    rows.hang = true;
    rows.add('a');
    worker.resume();
    await eventually(() => rows.inProgress.size === 1);
    const start = performance.now();
    await worker.stop();
    expect(performance.now() - start).toBeLessThan(5000);
    expect(rows.cutOff).toEqual(['a']);
    rows.add('b');
    worker.wake();
    worker.resume();
    await sleep(50);
    expect(rows.processed).toEqual(['a']);
    expect(rows.inProgress.size).toBe(0);
  });
});

/** Rows that are due until they are claimed. */
class FakeRows {
  readonly processed: string[] = [];
  readonly cutOff: string[] = [];
  readonly sinces: (Date | undefined)[] = [];
  readonly inProgress = new Map<string, () => void>();
  reads = 0;
  most = 0;
  hang = false;
  observe: (row: Row) => void = () => undefined;
  private readonly due = new Map<string, Row>();
  private held: Promise<void> = Promise.resolve();

  add(id: string, group = id): void {
    this.due.set(id, { id, group });
  }

  hold(): () => void {
    let open = (): void => undefined;
    this.held = new Promise((resolve) => (open = resolve));
    return open;
  }

  async claim({ limit, since, full, admit }: ClaimRequest<Row, Row>): Promise<Claim<Row>[]> {
    this.reads += 1;
    this.sinces.push(since);
    const groups = full.map(({ group }) => group);
    const found = [...this.due.values()].filter(({ group }) => !groups.includes(group)).slice(0, limit);
    await this.held;
    await new Promise(setImmediate);
    const admitted = found.filter(admit);
    return admitted.filter(({ id }) => this.due.delete(id)).map((row) => ({ row, lease: new Date() }));
  }

  async process({ row }: Claim<Row>, cutOff: AbortSignal): Promise<void> {
    this.observe(row);
    await new Promise<void>((resolve) => {
      this.inProgress.set(row.id, resolve);
      this.most = Math.max(this.most, this.inProgress.size);
      cutOff.addEventListener('abort', () => {
        this.cutOff.push(row.id);
        resolve();
      });
      if (!this.hang) setImmediate(resolve);
    });
    this.inProgress.delete(row.id);
    this.processed.push(row.id);
  }

  finishAll(): void {
    this.hang = false;
    for (const finish of this.inProgress.values()) finish();
  }
}

async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}
