import { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../../config/app-config';
import { FailingCalls } from './failing-calls';

describe('FailingCalls', () => {
  let now: number;
  let reported: string[];
  let calls: FailingCalls;

  beforeEach(() => {
    now = 1000;
    reported = [];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    calls = new FailingCalls(new ConfigService<AppConfig, true>({ relayerChecks: { earlyMs: 10_000 } }));
    calls.persistent.subscribe((id) => reported.push(id));
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const fail = (id: string, times: number): void => {
    for (let i = 0; i < times; i += 1) calls.failed(id);
  };

  it('reports three consecutive failures, but not two', () => {
    fail('a', 2);
    expect(reported).toEqual([]);
    fail('a', 1);
    expect(reported).toEqual(['a']);
  });

  it('starts counting again after a success', () => {
    for (let i = 0; i < 10; i += 1) {
      fail('a', 2);
      calls.succeeded('a');
    }
    expect(reported).toEqual([]);
  });

  it('counts each relayer separately', () => {
    for (const id of ['a', 'b', 'c']) fail(id, 2);
    fail('b', 1);
    expect(reported).toEqual(['b']);
  });

  it('reports a relayer at most once in ten seconds, and again afterwards', () => {
    fail('a', 500);
    now += 9999;
    fail('a', 1);
    expect(reported).toEqual(['a']);
    now += 1;
    fail('a', 1);
    expect(reported).toEqual(['a', 'a']);
  });

  it('tracks 10 000 relayers, and forgets the one that failed longest ago', () => {
    fail('first', 2);
    fail('second', 2);
    for (let i = 0; i < 9998; i += 1) fail(`other-${i}`, 1);
    fail('first', 1);
    expect(reported).toEqual(['first']);
    fail('one too many', 1);
    fail('second', 1);
    expect(reported).toEqual(['first']);
    fail('second', 2);
    expect(reported).toEqual(['first', 'second']);
  });
});
