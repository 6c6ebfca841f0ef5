import { Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Registry } from 'prom-client';
import type { AppConfig } from '../../config/app-config';
import type { CheckResult } from './chain-check';
import { CheckMetrics } from './check.metrics';

const well = (balance: bigint) => (): Promise<CheckResult> => Promise.resolve({ reasons: [], balance });

describe('CheckMetrics', () => {
  let registry: Registry;

  beforeEach(() => {
    registry = new Registry();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const metrics = (balanceMetrics: boolean): CheckMetrics =>
    new CheckMetrics(
      registry,
      new ConfigService<AppConfig, true>({ balanceMetrics, relayerChecks: { intervalMs: 60_000 } }),
    );

  it('counts checks by outcome', async () => {
    const observed = metrics(false);
    await observed.observe('a', well(1n));
    await observed.observe('a', well(1n));
    await observed.observe('a', () => Promise.resolve({ reasons: ['NonceSyncFailed'], balance: 1n }));
    const failing = observed.observe('a', () => Promise.reject(new Error('no database')));
    await expect(failing).rejects.toThrow('no database');
    const text = await registry.metrics();
    expect(text).toContain('relayer_check_duration_seconds_count{outcome="passed"} 2');
    expect(text).toContain('relayer_check_duration_seconds_count{outcome="failed"} 1');
    expect(text).toContain('relayer_check_duration_seconds_count{outcome="error"} 1');
  });

  it.each([
    ['warns', { balanceMetrics: true, enabled: false, background: true }, 1],
    ['does not warn', { balanceMetrics: true, enabled: true, background: true }, 0],
    ['does not warn', { balanceMetrics: false, enabled: false, background: true }, 0],
    ['does not warn', { balanceMetrics: true, enabled: false, background: false }, 0],
  ])('%s at the start with %j', (_title, { balanceMetrics, enabled, background }, times) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const relayerChecks = { enabled, intervalMs: 0 };
    new CheckMetrics(
      registry,
      new ConfigService<AppConfig, true>({ balanceMetrics, relayerChecks, background }),
    ).onApplicationBootstrap();
    expect(warn).toHaveBeenCalledTimes(times);
  });

  it('exposes no balances unless they are enabled', async () => {
    await metrics(false).observe('a', well(5n));
    expect(await registry.metrics()).not.toContain('relayer_balance_wei');
  });

  it('exposes the last balance read, and keeps it when a later read fails', async () => {
    const observed = metrics(true);
    await observed.observe('a', well(5n));
    await observed.observe('b', well(10n ** 21n));
    await observed.observe('a', well(7n));
    await observed.observe('a', () =>
      Promise.resolve({ reasons: ['RpcValidationFailed'], balance: undefined }),
    );
    const text = await registry.metrics();
    expect(text).toContain('relayer_balance_wei{relayer="a"} 7\n');
    expect(text).toContain('relayer_balance_wei{relayer="b"} 1e+21\n');
  });

  it('forgets balances that no check has confirmed for three intervals', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const observed = metrics(true);
    await observed.observe('old', well(1n));
    clock.mockReturnValue(100_000);
    await observed.observe('young', well(2n));
    clock.mockReturnValue(180_000);
    expect(await registry.metrics()).toContain('relayer_balance_wei{relayer="old"} 1\n');
    clock.mockReturnValue(180_001);
    const text = await registry.metrics();
    expect(text).not.toContain('relayer="old"');
    expect(text).toContain('relayer_balance_wei{relayer="young"} 2\n');
  });
});
