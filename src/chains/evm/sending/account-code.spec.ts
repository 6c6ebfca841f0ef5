import { AccountCode } from './account-code';

describe('AccountCode', () => {
  let now: number;
  let calls: string[];
  let hasCode: boolean;
  let isDown: boolean;
  let code: AccountCode;

  beforeEach(() => {
    now = 0;
    calls = [];
    hasCode = false;
    isDown = false;
    const read = (address: string): Promise<boolean> => {
      calls.push(address);
      return isDown ? Promise.reject(new Error('down')) : Promise.resolve(hasCode);
    };
    code = new AccountCode(read, () => now);
  });

  it('reads the code of an account once a minute, and once for concurrent callers', async () => {
    await Promise.all([code.has('0x1'), code.has('0x1'), code.has('0x2')]);
    now = 59_999;
    hasCode = true;
    expect(await code.has('0x1')).toBe(false);
    now = 60_000;
    expect(await code.has('0x1')).toBe(true);
    expect(calls).toEqual(['0x1', '0x2', '0x1']);
  });

  it('assumes for a minute that an account has no code if the read fails', async () => {
    isDown = true;
    hasCode = true;
    expect([await code.has('0x1'), await code.has('0x1')]).toEqual([false, false]);
    expect(calls).toEqual(['0x1']);
    isDown = false;
    now = 5_000;
    expect(await code.has('0x1')).toBe(true);
  });

  it('does not wait for a node that does not respond', async () => {
    const slow = new AccountCode(() => new Promise(() => undefined));
    expect(await slow.has('0x1')).toBe(false);
  });

  it('remembers what a slow node says', async () => {
    let respond!: (hasCode: boolean) => void;
    const slow = new AccountCode(() => new Promise((resolve) => (respond = resolve)));
    expect(await slow.has('0x1')).toBe(false);
    respond(true);
    expect(await slow.has('0x1')).toBe(true);
  });

  it('caches at most 10 000 accounts', async () => {
    for (let i = 0; i <= 10_000; i += 1) await code.has(`0x${i}`);
    calls = [];
    await code.has('0x0');
    await code.has('0x10000');
    expect(calls).toEqual(['0x0']);
  });
});
