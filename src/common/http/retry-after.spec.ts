import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { retryAfterMs } from './retry-after';

const ROOT = join(__dirname, '../../..');
const HOUR_MS = 3_600_000;

describe('retryAfterMs', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: Date.UTC(1994, 10, 6, 7, 49, 37) });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it.each<[string | string[] | undefined, number | undefined]>([
    ['0', 0],
    ['120', 120_000],
    ['9999999', 9_999_999_000],
    ['10000000', 10_000_000_000],
    ['9'.repeat(400), 1_000_000_000_000],
    ['Sun, 06 Nov 1994 08:49:37 GMT', HOUR_MS],
    ['Sunday, 06-Nov-94 08:49:37 GMT', HOUR_MS],
    ['Sun Nov  6 08:49:37 1994', HOUR_MS],
    ['Sun, 06 Nov 1994 06:49:37 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 1_000_000_000_000],
    [['60', '120'], 120_000],
    [['soon', '5'], 5000],
    [['soon', 'later'], undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['', undefined],
    ['Sunday', undefined],
    [undefined, undefined],
  ])('of %j is %p', (header, ms) => {
    expect(retryAfterMs(header)).toBe(ms);
  });

  it('takes a date in the form of asctime as UTC in any time zone', () => {
    const script = `
      const { retryAfterMs } = require('./src/common/http/retry-after');
      Date.now = () => Date.UTC(1994, 10, 6, 7, 49, 37);
      console.log(retryAfterMs('Sun Nov  6 08:49:37 1994'));
    `;
    const output = execFileSync(
      process.execPath,
      ['--require', './test/support/typescript.cjs', '-e', script],
      { cwd: ROOT, env: { ...process.env, TZ: 'America/New_York' }, encoding: 'utf8' },
    );
    expect(Number(output)).toBe(HOUR_MS);
  });
});
