import { Logger } from '@nestjs/common';
import { type HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import type { DataSource } from 'typeorm';
import { unavailable } from '../common/errors/domain-error';
import type { SigningFreezeService } from '../freeze/signing-freeze.service';
import { Stopping } from '../lifecycle/stopping';
import type { RedisService } from '../redis/redis.service';
import { ReadinessService } from './readiness.service';

const DOWN = { status: 'error', details: { database: { status: 'down' } } };

describe('ReadinessService', () => {
  afterEach(() => jest.restoreAllMocks());

  it('logs why the database is down, without including it in the response', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const service = new ReadinessService(
      { check: () => Promise.resolve(DOWN) } as unknown as HealthCheckService,
      {} as DataSource,
      {} as HealthIndicatorService,
      { configured: false } as RedisService,
      {
        state: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1:3306')),
      } as unknown as SigningFreezeService,
      new Stopping(),
    );
    expect(JSON.stringify(await service.report())).not.toContain('ECONNREFUSED');
    expect(warn).toHaveBeenCalledWith('Not ready', {
      components: { database: { status: 'down' } },
      cause: 'connect ECONNREFUSED 10.0.0.1:3306',
    });
  });

  it('logs the same reason once for all probes that share a result, so that probes cannot fill the log', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    let now = 1000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    let cause = 'refused';
    const service = new ReadinessService(
      { check: () => Promise.resolve(DOWN) } as unknown as HealthCheckService,
      {} as DataSource,
      {} as HealthIndicatorService,
      { configured: false } as RedisService,
      { state: () => Promise.reject(new Error(cause)) } as unknown as SigningFreezeService,
      new Stopping(),
    );
    const probe = async (): Promise<number> => {
      await Promise.all(Array.from({ length: 20 }, () => service.report()));
      return warn.mock.calls.length;
    };
    expect(await probe()).toBe(1);
    now += 400;
    expect(await probe()).toBe(1);
    now += 200;
    expect(await probe()).toBe(2);
    now += 501;
    cause = 'read-only';
    expect(await probe()).toBe(3);
  });

  it('is shutting down from the beginning of a stop, before Nest has called any hook of probes', async () => {
    const stopping = new Stopping();
    const service = new ReadinessService(
      { check: () => Promise.resolve({ status: 'ok', details: {} }) } as unknown as HealthCheckService,
      {} as DataSource,
      {} as HealthIndicatorService,
      { configured: false } as RedisService,
      { state: () => Promise.resolve({ frozen: false }) } as unknown as SigningFreezeService,
      stopping,
    );
    expect(await service.report()).toMatchObject({ status: 'ok' });
    stopping.begin();
    expect(await service.report()).toMatchObject({ status: 'shutting_down' });
  });

  it('logs the detail of an error whose message is that of its status', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const service = new ReadinessService(
      {
        check: async ([database]: [() => Promise<object>]) => ({
          status: 'error',
          details: await database(),
        }),
      } as unknown as HealthCheckService,
      {
        createQueryRunner: () => {
          throw unavailable('its file was deleted');
        },
      } as unknown as DataSource,
      new HealthIndicatorService(),
      { configured: false } as RedisService,
      { state: () => Promise.resolve({ frozen: false }) } as unknown as SigningFreezeService,
      new Stopping(),
    );
    await service.report();
    expect(warn).toHaveBeenCalledWith(
      'Not ready',
      expect.objectContaining({ cause: 'its file was deleted' }),
    );
  });

  it('checks again after a moment, even if the clock was set back meanwhile', async () => {
    let now = 1000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    let checks = 0;
    const indicators = new HealthIndicatorService();
    const service = new ReadinessService(
      {
        check: async ([database]: [() => Promise<object>]) => ({ status: 'ok', details: await database() }),
      } as unknown as HealthCheckService,
      {
        createQueryRunner: () => {
          checks += 1;
          throw new Error('unavailable');
        },
      } as unknown as DataSource,
      indicators,
      { configured: false } as RedisService,
      { state: () => Promise.resolve({ frozen: false }) } as unknown as SigningFreezeService,
      new Stopping(),
    );
    await service.report();
    await service.report();
    expect(checks).toBe(1);
    now += 501;
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    await service.report();
    expect(checks).toBe(2);
  });
});
