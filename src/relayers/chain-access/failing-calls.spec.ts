import { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../../config/app-config';
import { FailingCalls } from './failing-calls';

describe('FailingCalls', () => {
  let now: number;
  let told: string[];
  let calls: FailingCalls;

  beforeEach(() => {
    now = 1000;
    told = [];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    calls = new FailingCalls(new ConfigService<AppConfig, true>({ relayerChecks: { earlyMs: 10_000 } }));
    calls.persistent.subscribe((id) => told.push(id));
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const fail = (id: string, times: number): void => {
    for (let i = 0; i < times; i += 1) calls.failed(id);
  };

  it('tells of three failures in a row, not of two', () => {
    fail('a', 2);
    expect(told).toEqual([]);
    fail('a', 1);
    expect(told).toEqual(['a']);
  });

  it('begins anew after a success', () => {
    for (let i = 0; i < 10; i += 1) {
      fail('a', 2);
      calls.succeeded('a');
    }
    expect(told).toEqual([]);
  });

  it('counts each relayer for itself', () => {
    for (const id of ['a', 'b', 'c']) fail(id, 2);
    fail('b', 1);
    expect(told).toEqual(['b']);
  });

  it('tells at most once in a while, and again afterwards', () => {
    fail('a', 500);
    now += 9999;
    fail('a', 1);
    expect(told).toEqual(['a']);
    now += 1;
    fail('a', 1);
    expect(told).toEqual(['a', 'a']);
  });

  it('keeps count of 10 000 relayers; the one that failed longest ago is forgotten', () => {
    fail('first', 2);
    fail('second', 2);
    for (let i = 0; i < 9998; i += 1) fail(`other-${i}`, 1);
    fail('first', 1);
    expect(told).toEqual(['first']);
    fail('one too many', 1);
    fail('second', 1);
    expect(told).toEqual(['first']);
    fail('second', 2);
    expect(told).toEqual(['first', 'second']);
  });
});
