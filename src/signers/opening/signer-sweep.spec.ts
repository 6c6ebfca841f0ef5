import { Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Registry } from 'prom-client';
import type { FindOperator } from 'typeorm';
import type { AppConfig } from '../../config/app-config';
import { readConfig } from '../../config/environment';
import type { UnitOfWork } from '../../database/unit-of-work';
import type { SignerProvider } from '../signer-provider';
import { SignerMetrics } from '../signer.metrics';
import { OpenSigner } from './open-signer';
import { SignerPool } from './signer-pool';
import { SignerSweep } from './signer-sweep';

const HOUR_MS = 3_600_000;

/** A provider is destroyed a few turns of the event loop after its signer is closed. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('SignerSweep', () => {
  const rows = new Map<string, Date>();
  const questions: string[][] = [];
  const destroyed: string[] = [];
  let read: () => Promise<void>;
  let pool: SignerPool;
  let sweep: SignerSweep;

  const find = async ({ where }: { where: { id: FindOperator<string> } }) => {
    const ids = where.id.value as unknown as string[];
    questions.push(ids);
    await read();
    return ids.flatMap((id) => (rows.has(id) ? [{ id, createdAt: new Date(rows.get(id)!) }] : []));
  };
  const unitOfWork = { repository: () => ({ find }) } as unknown as UnitOfWork;

  const sweeping = (changes: Partial<AppConfig> = {}): SignerSweep => {
    const signers = { sweepMs: 20_000, idleCloseMs: HOUR_MS };
    const config = new ConfigService<AppConfig, true>({ signers, background: true, ...changes });
    return new SignerSweep(pool, unitOfWork, config);
  };

  const open = (id: string, createdAt = new Date(1)) =>
    pool.get(id, () => {
      rows.set(id, createdAt);
      const destroy = () => Promise.resolve(void destroyed.push(id));
      const provider = { destroy } as unknown as SignerProvider;
      return Promise.resolve(new OpenSigner('fake', provider, createdAt));
    });

  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  beforeEach(() => {
    for (const list of [questions, destroyed]) list.length = 0;
    rows.clear();
    read = () => Promise.resolve();
    pool = new SignerPool(new SignerMetrics(new Registry()));
    sweep = sweeping();
  });

  afterEach(async () => {
    jest.useRealTimers();
    await sweep.onApplicationShutdown();
  });

  it('closes only signers that were deleted or recreated', async () => {
    for (const id of ['kept', 'deleted', 'anew']) await open(id);
    rows.delete('deleted');
    rows.set('anew', new Date(2));
    await sweep.run();
    await settle();
    expect(destroyed.sort()).toEqual(['anew', 'deleted']);
    expect(pool.open.map(([id]) => id)).toEqual(['kept']);
  });

  it('queries at most 500 ids at once, and none if no signer is open', async () => {
    await sweep.run();
    expect(questions).toEqual([]);
    for (let i = 0; i < 1001; i += 1) await open(`signer ${i}`);
    await sweep.run();
    expect(questions.map(({ length }) => length)).toEqual([500, 500, 1]);
    expect(destroyed).toEqual([]);
  });

  it('keeps a signer open that was reopened during the query', async () => {
    await open('a');
    read = async () => {
      pool.forget('a');
      await open('a', new Date(2));
      rows.set('a', new Date(3));
    };
    await sweep.run();
    expect(destroyed).toEqual(['a']);
    expect(pool.open).toHaveLength(1);
  });

  it('keeps all signers open while the database is unavailable', async () => {
    await open('a');
    rows.clear();
    read = () => Promise.reject(new Error('away'));
    await sweep.run();
    expect(destroyed).toEqual([]);
    read = () => Promise.resolve();
    await sweep.run();
    await settle();
    expect(destroyed).toEqual(['a']);
  });

  it('closes signers that have been idle for the configured time', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    await open('idle');
    clock.mockReturnValue(1000);
    await open('used');
    clock.mockReturnValue(HOUR_MS);
    await sweep.run();
    expect(destroyed).toEqual(['idle']);
    clock.mockReturnValue(100 * HOUR_MS);
    await sweeping({ signers: { sweepMs: 20_000, idleCloseMs: 0 } }).run();
    expect(destroyed).toEqual(['idle']);
    clock.mockRestore();
  });

  it('closes a deleted signer within 60 s even if a query hangs for a while', async () => {
    const { sweepMs } = readConfig({
      API_KEY: 'a'.repeat(32),
      STORAGE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    }).signers;
    jest.useFakeTimers();
    sweep = sweeping({ signers: { sweepMs, idleCloseMs: 0 } });
    sweep.onApplicationBootstrap();
    await open('a');
    read = () => new Promise((resolve) => setTimeout(resolve, 15_000));
    await jest.advanceTimersByTimeAsync(sweepMs + 1);
    rows.delete('a');
    await jest.advanceTimersByTimeAsync(59_000);
    expect(destroyed).toEqual(['a']);
  });

  it('runs one query at a time, and none in commands', async () => {
    jest.useFakeTimers();
    sweep.onApplicationBootstrap();
    await open('a');
    let end = (): void => undefined;
    read = () => new Promise((resolve) => (end = resolve));
    await jest.advanceTimersByTimeAsync(100_000);
    expect(questions).toHaveLength(1);
    end();
    const command = sweeping({ background: false });
    command.onApplicationBootstrap();
    await sweep.onApplicationShutdown();
    questions.length = 0;
    await jest.advanceTimersByTimeAsync(100_000);
    expect(questions).toEqual([]);
  });
});
