import type { FindOperator } from 'typeorm';
import type { UnitOfWork } from '../../database/unit-of-work';
import type { ActingRelayer } from '../../relayers/relayer.entity';
import { newTransaction } from '../new-transaction';
import type { StoredRequest } from '../transaction.entity';
import type { AccountSpendingEntity } from './account-spending.entity';
import { SpendLimits } from './spend-limits';

const ACCOUNT = 'evm:1:0x';
const COUNTED = { value: '60', max_fee: '40', is_counted: true };
const WITHOUT_LIMITS = { policies: {} } as ActingRelayer;

/** The limits of one account, and its total spending. */
function start() {
  const spent: AccountSpendingEntity[] = [];
  const find = ({ bucket }: { bucket: number }) => spent.find((row) => row.bucket === bucket);
  const rows = {
    findBy: ({ bucket }: { bucket: FindOperator<number> }) =>
      Promise.resolve(spent.filter((row) => row.bucket >= bucket.value)),
    findOne: ({ where }: { where: { bucket: number } }) => Promise.resolve(find(where) ?? null),
    insert: (row: AccountSpendingEntity) => Promise.resolve(spent.push(row)),
    update: (where: { bucket: number }, sum: object) => Promise.resolve(Object.assign(find(where)!, sum)),
  };
  const limits = new SpendLimits({ repository: () => rows, locksRows: false } as unknown as UnitOfWork);
  const sum = (column: 'value' | 'fee') => spent.reduce((all, row) => all + BigInt(row[column]), 0n);
  const accept = async (relayer: ActingRelayer, request: StoredRequest): Promise<void> => {
    const budget = await limits.budgetOf([relayer], ACCOUNT);
    expect(budget.take(relayer, request)).toBeUndefined();
    await limits.reserve(budget, new Date());
  };
  const settle = (request: StoredRequest, inclusion: object | null) =>
    limits.settle([
      newTransaction({
        ...{ accountId: ACCOUNT, relayerId: 'r', sender: '0x', nonce: 0, request },
        ...{ attempt: { kind: 'request', value: '60' } as never, inclusion: inclusion as never },
      }),
    ]);
  return {
    limits,
    spentRows: spent,
    accept,
    settle,
    spent: () => ({ value: sum('value'), fee: sum('fee') }),
  };
}

const limitedTo = (limit: object) =>
  ({ policies: { transactions: { spend_limits: [{ per: '1h', ...limit }] } } }) as unknown as ActingRelayer;

describe('SpendLimits', () => {
  it('counts the fee actually paid', async () => {
    const { accept, settle, spent } = start();
    await accept(limitedTo({ max_fee: '40' }), COUNTED);
    await settle(COUNTED, { succeeded: true, fee: '25' });
    expect(spent()).toEqual({ value: 60n, fee: 25n });
  });

  it('changes each interval of an account once, however many transactions are settled together', async () => {
    const changes: unknown[] = [];
    const rows = {
      findOne: () => Promise.resolve({ value: '1000', fee: '1000' }),
      update: (where: object, sum: object) => Promise.resolve(changes.push({ ...where, ...sum })),
    };
    const limits = new SpendLimits({ repository: () => rows, locksRows: false } as unknown as UnitOfWork);
    const settled = (accountId: string, time: number) =>
      newTransaction({
        ...{ accountId, relayerId: 'r', sender: '0x', nonce: 0, request: COUNTED, createdAt: new Date(time) },
        attempt: { kind: 'request', value: '50' } as never,
        inclusion: { succeeded: true, fee: '20' } as never,
      });
    await limits.settle([
      ...[settled('a', 0), settled('b', 0), settled('a', 1)],
      newTransaction({ accountId: 'c', relayerId: 'r', sender: '0x', nonce: 0, request: { value: '60' } }),
      ...[settled('a', 300_000), settled('b', 2)],
    ]);
    expect(changes).toEqual([
      { accountId: 'a', bucket: 0, value: '980', fee: '960' },
      { accountId: 'b', bucket: 0, value: '980', fee: '960' },
      { accountId: 'a', bucket: 1, value: '990', fee: '980' },
    ]);
  });

  it('counts the maximum fee when the node does not report the fee paid', async () => {
    const { accept, settle, spent } = start();
    await accept(limitedTo({ max_fee: '40' }), COUNTED);
    await settle(COUNTED, { succeeded: true, fee: null });
    expect(spent()).toEqual({ value: 60n, fee: 40n });
  });

  it('counts nothing when another transaction used the nonce', async () => {
    const { accept, settle, spent } = start();
    await accept(limitedTo({ max_fee: '40' }), COUNTED);
    await settle(COUNTED, null);
    expect(spent()).toEqual({ value: 0n, fee: 0n });
  });

  it('releases no more than was reserved when limits are removed while a request is accepted', async () => {
    const { accept, settle, spent } = start();
    await accept(WITHOUT_LIMITS, COUNTED);
    await settle(COUNTED, null);
    expect(spent()).toEqual({ value: 0n, fee: 0n });
  });

  it('does not count a replacement without a reservation if limits are removed meanwhile', async () => {
    const { limits, settle, spent } = start();
    const old = newTransaction({
      ...{ accountId: ACCOUNT, relayerId: 'r', sender: '0x', nonce: 0, request: { value: '1' } },
    });
    const counted = { ...COUNTED, data_fee: '5' };
    const stored = await limits.reserveReplacement(WITHOUT_LIMITS, old, counted);
    expect(stored).toEqual({ value: '60', max_fee: null });
    await settle(stored, null);
    expect(spent()).toEqual({ value: 0n, fee: 0n });
  });

  it.each<[string, object, string]>([
    ['all of it', { max_fee: '10' }, '40'],
    ['less what its data may cost', { max_fee: '10', data_fee: '5' }, '35'],
    ['more, which is reserved in addition', { max_fee: '50' }, '50'],
  ])(
    'lets a replacement pay what was reserved, because it must offer more than the old content: %s',
    async (_what, replacement, maxFee) => {
      const { limits, spent, accept } = start();
      const relayer = limitedTo({ max_fee: '100' });
      await accept(relayer, COUNTED);
      const given = { accountId: ACCOUNT, relayerId: 'r', sender: '0x', nonce: 0, request: COUNTED };
      const request = { value: '60', is_counted: true, ...replacement };
      const stored = await limits.reserveReplacement(relayer, newTransaction(given), request);
      expect(stored.max_fee).toBe(maxFee);
      expect(spent().fee).toBe(BigInt(maxFee) > 40n ? BigInt(maxFee) : 40n);
    },
  );

  it('counts nothing without limits', async () => {
    const { accept, spent } = start();
    await accept(WITHOUT_LIMITS, { value: '60', max_fee: null });
    expect(spent()).toEqual({ value: 0n, fee: 0n });
  });

  it('reserves twice the data fee, and counts the fee actually paid', async () => {
    const { accept, settle, spent } = start();
    const rollupFeesOf = () => Promise.resolve({ data: 400n, operator: 100n });
    const chain = { priceAt: () => Promise.resolve(10n), rollupFeesOf } as never;
    const request = { value: '60', gas_limit: '21000', speed: 'fast' };
    const limited = await new SpendLimits({} as never).limitFees(
      limitedTo({ max_fee: '421000' }),
      chain,
      request,
    );
    // An attempt may pay less for gas than is reserved.
    expect(limited).toMatchObject({ is_counted: true, max_fee: '420000' });
    await accept(limitedTo({ max_fee: '421000' }), limited);
    expect(spent()).toEqual({ value: 60n, fee: 421_000n });
    await settle(limited, { succeeded: true, fee: '210400' });
    expect(spent()).toEqual({ value: 60n, fee: 210_400n });
  });

  it('counts a request without its fee if only values are limited', async () => {
    const request = { value: '60', gas_limit: '21000' };
    const limited = await start().limits.limitFees(limitedTo({ max_value: '100' }), {} as never, request);
    expect(limited).toEqual({ ...request, is_counted: true });
  });

  it('refuses a replacement that exceeds the limit, and counts nothing of it', async () => {
    const { limits, spent, accept } = start();
    const relayer = limitedTo({ max_value: '100' });
    await accept(relayer, COUNTED);
    const given = { accountId: ACCOUNT, relayerId: 'r', sender: '0x', nonce: 0, request: COUNTED };
    const replaced = limits.reserveReplacement(relayer, newTransaction(given), { ...COUNTED, value: '101' });
    await expect(replaced).rejects.toMatchObject({ code: 'transaction_not_allowed' });
    expect(spent().value).toBe(60n);
  });

  describe.each([
    ['1h', 60],
    ['24h', 24 * 60],
    ['7d', 7 * 24 * 60],
  ])('a limit per %s', (per, minutes) => {
    const MINUTE = 60_000;
    const START = Date.UTC(2026, 0, 1, 12);
    /** The end of the period that begins with the end of the five-minute interval. */
    const END = START + 5 * MINUTE + minutes * MINUTE;

    afterEach(() => jest.useRealTimers());

    it('counts what was spent in its period, and says when it is free again', async () => {
      const { limits, accept } = start();
      const relayer = limitedTo({ per, max_value: '100' });
      jest.useFakeTimers({ now: START + 2 * MINUTE });
      await accept(relayer, COUNTED);
      const take = async (time: number) => {
        jest.setSystemTime(time);
        return (await limits.budgetOf([relayer], ACCOUNT)).take(relayer, COUNTED);
      };
      const refusal = {
        code: 'transaction_not_allowed',
        detail: `policies.transactions.spend_limits[0].max_value: 40 wei are left of 100 per ${per}; more at ${new Date(END).toISOString()}`,
      };
      expect(await take(START + 2 * MINUTE)).toMatchObject(refusal);
      expect(await take(END - 1)).toMatchObject(refusal);
      expect(await take(END)).toBeUndefined();
    });
  });

  it('names no time for a request that is more than the limit by itself', async () => {
    const { limits, accept } = start();
    const relayer = limitedTo({ per: '1h', max_value: '100' });
    const take = async (value: string) =>
      (await limits.budgetOf([relayer], ACCOUNT)).take(relayer, { ...COUNTED, value })?.detail;
    const left = (amount: number) =>
      `policies.transactions.spend_limits[0].max_value: ${amount} wei are left of 100 per 1h; the request alone is above the limit`;
    expect(await take('101')).toBe(left(100));
    await accept(relayer, COUNTED);
    expect([await take('101'), await take('100')]).toEqual([left(40), expect.stringContaining('more at')]);
  });

  it.each<[string, object, StoredRequest]>([
    ['any limit', { max_value: '100' }, { value: '60', max_fee: null }],
    ['a limit of fees', { max_fee: '100' }, { value: '60', max_fee: null, is_counted: true }],
  ])(
    'refuses with "unavailable" a request that was checked before %s existed',
    async (_what, limit, request) => {
      const { limits, spent } = start();
      const relayer = limitedTo(limit);
      const expected = { code: 'unavailable' };
      const budget = await limits.budgetOf([relayer], ACCOUNT);
      expect(budget.take(relayer, request)).toMatchObject(expected);
      const given = { accountId: ACCOUNT, relayerId: 'r', sender: '0x', nonce: 0 };
      for (const old of [{ value: '60' }, COUNTED]) {
        const row = newTransaction({ ...given, request: old });
        await expect(limits.reserveReplacement(relayer, row, request)).rejects.toMatchObject(expected);
      }
      expect(budget.mark()).toEqual({ value: 0n, fee: 0n });
      expect(spent()).toEqual({ value: 0n, fee: 0n });
    },
  );

  describe('the reservation of a replaced transaction', () => {
    const HOUR = 3_600_000;
    const CREATED = new Date(1000 * HOUR);
    const RELAYER = limitedTo({ max_value: '100' });

    afterEach(() => jest.useRealTimers());

    /**
     * A transaction is accepted with a value of 10, and replaced 55 minutes later by one with 100; then an attempt with
     * the given value becomes final.
     */
    const replaceAndSettle = async (value: string | null) => {
      const { limits, spentRows, accept } = start();
      jest.useFakeTimers({ now: CREATED });
      const request = { value: '10', is_counted: true };
      await accept(RELAYER, request);
      jest.setSystemTime(CREATED.getTime() + (55 / 60) * HOUR);
      const given = { accountId: ACCOUNT, relayerId: 'r', sender: '0x', nonce: 0, createdAt: CREATED };
      const before = newTransaction({ ...given, request });
      const replaced = await limits.reserveReplacement(RELAYER, before, {
        value: '100',
        is_counted: true,
      });
      const again = newTransaction({ ...given, request: replaced });
      const last = await limits.reserveReplacement(RELAYER, again, {
        value: '20',
        is_counted: true,
      });
      const kind = value === null ? 'noop' : 'request';
      await limits.settle([
        newTransaction({
          ...{ ...given, request: last, attempt: { kind, value: value ?? '0' } as never },
          inclusion: { succeeded: true, fee: '0' } as never,
        }),
      ]);
      return spentRows.map((row) => row.value);
    };

    it.each<[string, string | null, string[]]>([
      ['is released from the interval in which it was made', null, ['0', '0']],
      ['is what the first content spent', '10', ['10', '0']],
      ['is what the second one spent', '100', ['10', '90']],
      ['is what the third one spent', '20', ['10', '10']],
    ])('%s', async (_what, value, spent) => {
      expect(await replaceAndSettle(value)).toEqual(spent);
    });

    it('is stored once per five-minute interval, however often the transaction is replaced', async () => {
      const { limits, spent, accept, settle } = start();
      jest.useFakeTimers({ now: CREATED });
      let request: StoredRequest = { value: '10', is_counted: true };
      await accept(RELAYER, request);
      const given = { accountId: ACCOUNT, relayerId: 'r', sender: '0x', nonce: 0, createdAt: CREATED };
      for (let value = 11; value <= 100; value += 1) {
        // The second half is in the next five-minute interval.
        if (value === 56) jest.setSystemTime(CREATED.getTime() + HOUR / 12);
        const row = newTransaction({ ...given, request });
        request = await limits.reserveReplacement(RELAYER, row, {
          value: `${value}`,
          is_counted: true,
        });
      }
      expect(request.reserved).toMatchObject({
        value: '100',
        later: [{ value: '45' }, { value: '45' }],
      });
      await settle(request, null);
      expect(spent()).toEqual({ value: 0n, fee: 0n });
    });
  });
});
