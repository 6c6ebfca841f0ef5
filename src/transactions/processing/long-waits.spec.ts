import { AccountWaits, LongWaits } from './long-waits';

const MINUTE = 60_000;

describe('LongWaits', () => {
  let now: number;
  let waits: LongWaits;

  beforeEach(() => {
    now = 0;
    waits = new LongWaits(() => now);
  });

  it('measures how long the use of a nonce has been unknown, until its transaction is final', () => {
    expect(waits.unknownFor('a')).toBe(0);
    now += MINUTE;
    expect(waits.unknownFor('b')).toBe(0);
    now += 9 * MINUTE;
    expect(waits.unknownFor('a')).toBe(10 * MINUTE);
    waits.forget('a');
    expect(waits.unknownFor('a')).toBe(0);
    expect(waits.unknownFor('b')).toBe(9 * MINUTE);
  });

  it('knows which blocks existed before the account was first processed', () => {
    expect(waits.mayLackAttempts(1, new Date())).toBe(false);
    waits.begin(5);
    waits.begin(9);
    expect([5, 6].map((block) => waits.mayLackAttempts(block, new Date()))).toEqual([true, false]);
  });

  it('knows of no request that existed before the instance began whether all of its attempts are recorded', () => {
    const started = new LongWaits(() => now, new Date(1000));
    started.begin(5);
    expect([999, 1000].map((at) => started.mayLackAttempts(6, new Date(at)))).toEqual([true, false]);
  });

  it('measures how long nodes have refused a transaction, until it is final', () => {
    expect(waits.refusedFor('a')).toBe(0);
    now += MINUTE;
    expect([waits.refusedFor('a'), waits.unknownFor('a')]).toEqual([MINUTE, 0]);
    waits.forget('a');
    expect(waits.refusedFor('a')).toBe(0);
  });

  it('measures how long a transaction could not be simulated, until it can', () => {
    expect(waits.unsimulatedFor('a')).toBe(0);
    now += MINUTE;
    expect([waits.unsimulatedFor('a'), waits.refusedFor('a')]).toEqual([MINUTE, 0]);
    waits.simulated('a');
    now += MINUTE;
    expect(waits.unsimulatedFor('a')).toBe(0);
  });

  it('measures how long an attempt has been at the head of the queue', () => {
    expect(waits.headFor('0x1')).toBe(0);
    now += MINUTE;
    expect(waits.headFor('0x1')).toBe(MINUTE);
    expect(waits.headFor('0x2')).toBe(0);
    expect(waits.headFor('0x1')).toBe(0);
  });

  it('considers a transaction lost after ten minutes and ten blocks at the same nonce', () => {
    expect(waits.isLost(7, 100)).toBe(false);
    now += 9 * MINUTE;
    expect(waits.isLost(7, 120)).toBe(false);
    now += MINUTE;
    expect(waits.isLost(7, 109)).toBe(false);
    expect(waits.isLost(7, 110)).toBe(true);
    expect(waits.isLost(8, 110)).toBe(false);
    expect(waits.isLost(7, 110)).toBe(false);
  });

  it('considers others lost after a minute and three blocks, for an hour after the last one', () => {
    waits.isLost(7, 100);
    now += 10 * MINUTE;
    expect(waits.isLost(7, 110)).toBe(true);
    expect(waits.isLost(9, 110)).toBe(false);
    now += MINUTE;
    expect(waits.isLost(9, 112)).toBe(false);
    expect(waits.isLost(9, 113)).toBe(true);
    now += 60 * MINUTE;
    waits.isLost(10, 200);
    now += MINUTE;
    expect(waits.isLost(10, 300)).toBe(false);
  });

  it('begins again after ledger and chain have agreed', () => {
    waits.isLost(7, 100);
    waits.reported([7]);
    now += 10 * MINUTE;
    waits.agreed();
    expect(waits.isLost(7, 200)).toBe(false);
    expect(waits.unreported([7], 7)).toEqual([7]);
  });

  it('begins again after it has not been asked for more than an hour', () => {
    waits.isLost(7, 100);
    waits.unknownFor('a');
    now += 60 * MINUTE + 1;
    expect(waits.isLost(7, 200)).toBe(false);
    expect(waits.unknownFor('a')).toBe(0);
  });

  it('reports each nonce once, and again after it has been mined and lost again', () => {
    expect(waits.unreported([7, 8], 7)).toEqual([7, 8]);
    waits.reported([7, 8]);
    expect(waits.unreported([7, 8, 9], 7)).toEqual([9]);
    expect(waits.unreported([8], 8)).toEqual([]);
    expect(waits.unreported([7, 8], 7)).toEqual([7]);
  });

  it('remembers a limited number of transactions', () => {
    for (let i = 0; i <= 1000; i += 1) waits.unknownFor(`${i}`);
    now += MINUTE;
    expect(waits.unknownFor('1')).toBe(MINUTE);
    expect(waits.unknownFor('0')).toBe(0);
  });
});

describe('AccountWaits', () => {
  it('returns the same waits until the account is finished', () => {
    const accounts = new AccountWaits();
    const waits = accounts.of('a');
    expect(accounts.of('b')).not.toBe(waits);
    expect(accounts.of('a')).toBe(waits);
    accounts.finished('a');
    expect(accounts.of('a')).not.toBe(waits);
  });

  it('remembers a limited number of accounts', () => {
    const accounts = new AccountWaits();
    const [first, second] = [accounts.of('0'), accounts.of('1')];
    for (let i = 2; i <= 10_000; i += 1) accounts.of(`${i}`);
    expect(accounts.of('1')).toBe(second);
    expect(accounts.of('0')).not.toBe(first);
  });

  it('reports once that an account begins to wait for funds', () => {
    const waits = new LongWaits(() => 0);
    expect([waits.lacksFunds('a'), waits.lacksFunds('a'), waits.lacksFunds('b')]).toEqual([
      true,
      false,
      false,
    ]);
    waits.funded('b');
    expect(waits.lacksFunds('a')).toBe(false);
    waits.funded('a');
    expect(waits.lacksFunds('b')).toBe(true);
    waits.forget('b');
    expect(waits.lacksFunds('c')).toBe(true);
  });
});
