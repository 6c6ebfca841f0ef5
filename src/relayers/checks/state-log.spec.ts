import { Logger } from '@nestjs/common';
import type { ConfigService } from '@nestjs/config';
import type { Claim } from '../../background/leased-rows';
import type { WorkerMetrics } from '../../background/worker.metrics';
import type { AppConfig } from '../../config/app-config';
import type { UnitOfWork } from '../../database/unit-of-work';
import type { RelayerEvents } from '../relayer-events';
import type { RelayerRows } from '../relayer-rows';
import type { RelayerEntity } from '../relayer.entity';
import { BalanceWatch } from './balance-watch';
import { RelayerChecks } from './relayer-checks';

const run = <T>(work: () => Promise<T>): Promise<T> => work();
const unitOfWork = {
  ...{ run, runStatement: run },
  repository: () => ({ update: () => Promise.resolve({ affected: 1 }) }),
} as unknown as UnitOfWork;
const rows = { getOrThrow: () => Promise.resolve({}) } as unknown as RelayerRows;
const noEvent = () => Promise.resolve();
const events = { lowBalance: noEvent, enabled: noEvent, disabled: noEvent } as unknown as RelayerEvents;

const claimOf = (row: Partial<RelayerEntity>): Claim<RelayerEntity> => ({
  row: { id: 'r', lowBalance: false, disabledReason: null, policies: {}, ...row } as RelayerEntity,
  lease: new Date(),
});

describe('The log of what checks change', () => {
  const logged: unknown[] = [];

  beforeEach(() => {
    logged.length = 0;
    const note = (...line: unknown[]): void => void logged.push(line);
    for (const level of ['log', 'warn'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation(note);
  });
  afterEach(() => jest.restoreAllMocks());

  it('names the relayer as relayer_id', async () => {
    const relayerChecks = { enabled: true, leaseMs: 1000, intervalMs: 1000, retryMs: [1000] };
    const config = { get: () => relayerChecks } as unknown as ConfigService<AppConfig, true>;
    const checks = new RelayerChecks(
      unitOfWork,
      rows,
      events,
      { add: () => undefined } as unknown as WorkerMetrics,
      config,
    );
    const failed = claimOf({ systemDisabled: false, failedChecks: 1 });
    await checks.record(failed, ['RpcValidationFailed']);
    await checks.record(claimOf({ systemDisabled: true, failedChecks: 2 }), []);
    await new BalanceWatch(unitOfWork, rows, events).record(claimOf({ policies: { low_balance: '10' } }), 1n);
    expect(logged).toEqual([
      ['Relayer disabled', { relayer_id: 'r', reason: 'RpcValidationFailed' }],
      ['Relayer enabled', { relayer_id: 'r' }],
      ['The balance of a relayer is low', { relayer_id: 'r' }],
    ]);
  });
});
