import { FailureLog } from './failure-log';

const HOUR_MS = 3_600_000;

describe('FailureLog', () => {
  let now: number;
  let lines: unknown[];
  let log: FailureLog;

  beforeEach(() => {
    now = 0;
    lines = [];
    const add = (...line: unknown[]): void => void lines.push(line);
    log = new FailureLog({ warn: add, log: add }, { worker: 'a' }, () => now);
  });

  const fail = (cause: string): void => log.failed('It failed', new Error(cause));

  it('logs each cause once, and the end', () => {
    for (const cause of ['x', 'x', 'y', 'y']) fail(cause);
    log.succeeded('It works again');
    log.succeeded('It works again');
    fail('y');
    expect(lines).toEqual([
      ['It failed', { worker: 'a', cause: 'x' }],
      ['It failed', { worker: 'a', cause: 'y' }],
      ['It works again', { worker: 'a' }],
      ['It failed', { worker: 'a', cause: 'y' }],
    ]);
  });

  it('logs a failure that lasts once an hour', () => {
    for (const minutes of [0, 59, 60, 61, 119, 120]) {
      now = (minutes * HOUR_MS) / 60;
      fail('x');
    }
    expect(lines).toHaveLength(3);
  });
});
