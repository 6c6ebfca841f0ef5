import { FakePool, type NodeResponses } from '../../../../test/support/fake-pool';
import type { AttemptOrder, ReplacedAttempt } from '../../transaction-chain';
import { highestPrice } from './fees';
import { payableFees } from './payable-fees';

const GWEI = 10n ** 9n;
const MARKET = {
  ...{ baseFee: 10n * GWEI, gasPrice: 11n * GWEI },
  tips: { safeLow: GWEI, average: GWEI, fast: GWEI, fastest: GWEI },
};
const NETWORK = { minimumTip: 1n, legacy: false, features: ['eip1559'] };

const attempt = (gasPrice: bigint, value = '0') =>
  ({
    ...{ kind: 'request', value, gas_limit: '21000', gas_price: gasPrice.toString() },
    ...{ max_fee_per_gas: null, max_priority_fee_per_gas: null, wasAcknowledged: true },
  }) as ReplacedAttempt;

const order = (kind: AttemptOrder['kind'], replaces: ReplacedAttempt[]): AttemptOrder => ({
  ...{ kind, sender: '0x', nonce: 0, wasSigned: true, request: { speed: 'fast', value: '5' }, replaces },
  limits: { cap: undefined, maxFee: undefined, legacy: false },
});

describe('payableFees', () => {
  const read = async (given: AttemptOrder, balance: string | undefined): Promise<unknown> => {
    const responses: NodeResponses = balance === undefined ? {} : { eth_getBalance: { result: balance } };
    const { pool } = await FakePool.start(responses, responses);
    const fees = await payableFees(pool, given, 21_000n, MARKET, NETWORK);
    return 'waits' in fees ? fees.waits : highestPrice(fees);
  };
  const wei = (amount: bigint): string => `0x${amount.toString(16)}`;
  const AT_LIMIT = 'Waiting: the fees are at their limit (5 times the market), and are not raised any more';
  const NO_FUNDS =
    'Waiting for funds: the balance of the relayer does not cover value and fees of the next attempt';
  const market = 21n * GWEI;
  const low = 20n * GWEI;
  const aboveLow = (low * 9n) / 8n + 1n;
  const high = 1000n * GWEI;
  const above = (1000n * GWEI * 9n) / 8n + 1n;

  it.each([
    ['noop', [high], wei(21_000n * above), above],
    ['noop', [high], wei(21_000n * above - 1n), NO_FUNDS],
    ['noop', [high], wei(21_000n * high - 1n), market],
    ['noop', [high, 2n * high], wei(21_000n * above), above],
    ['noop', [high], undefined, above],
    ['request', [high], wei(10n ** 18n), AT_LIMIT],
    ['request', [high], wei(21_000n * high - 1n), market],
    ['request', [high], undefined, AT_LIMIT],
    ['request', [low], wei(21_000n * aboveLow + 5n), aboveLow],
    ['request', [low], wei(21_000n * aboveLow + 4n), NO_FUNDS],
    ['request', [low], wei(21_000n * low - 1n), market],
    ['request', [low, aboveLow], wei(21_000n * aboveLow - 1n), NO_FUNDS],
    ['request', [low, high], wei(21_000n * aboveLow + 5n), aboveLow],
    ['request', [low, high], wei(21_000n * aboveLow + 4n), NO_FUNDS],
    ['request', [], wei(0n), market],
  ] as const)(
    'prices a %s that replaces attempts at %j with a balance of %j',
    async (kind, prices, balance, expected) => {
      expect(
        await read(
          order(
            kind,
            prices.map((price) => attempt(price)),
          ),
          balance,
        ),
      ).toBe(expected);
    },
  );

  it('includes the value of a replaced attempt in its cost', async () => {
    const replaced = attempt(high, (10n ** 18n).toString());
    expect(await read(order('noop', [replaced]), wei(21_000n * high))).toBe(market);
    expect(await read(order('noop', [replaced]), wei(21_000n * above))).toBe(above);
  });
});
