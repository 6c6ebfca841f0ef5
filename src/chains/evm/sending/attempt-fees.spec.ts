import type { AttemptContent, AttemptOrder } from '../../transaction-chain';
import { feesOf } from './attempt-fees';
import type { FeeMarket } from './fees';

const MARKET: FeeMarket = {
  ...{ baseFee: 100n, gasPrice: 110n },
  tips: { safeLow: 1n, average: 2n, fast: 10n, fastest: 20n },
};
const GAS = 21_000n;
const OF_THE_MARKET = { kind: 'dynamic', maxFeePerGas: 210n, maxPriorityFeePerGas: 10n };

const fees = (
  kind: AttemptOrder['kind'],
  request: object,
  cap?: bigint,
  maxFee?: bigint,
  replaces: AttemptContent[] = [],
) =>
  feesOf(
    {
      ...{ kind, sender: '0x', nonce: 0, wasSigned: false, request: { speed: 'fast', ...request }, replaces },
      limits: { cap, maxFee, legacy: false },
    },
    GAS,
    MARKET,
    { minimumTip: 1n, legacy: false, features: ['eip1559'] },
  );

describe('feesOf', () => {
  it.each([{ max_attempts_price: '20' }, { max_fee: (20n * GAS).toString() }])(
    'limits a request to %j, but not the no-op that replaces it',
    (limit) => {
      expect(fees('request', limit)).toMatchObject({ maxFeePerGas: 20n });
      expect(fees('noop', limit)).toEqual(OF_THE_MARKET);
    },
  );

  it('lets a request wait if its own price exceeds a policy, and names both possible policies', () => {
    const waits = 'Waiting: its fees are above gas_price_cap or policies.transactions.max_fee';
    const own = { speed: null, gas_price: '20' };
    expect(fees('request', own, 19n)).toBe(waits);
    expect(fees('request', own, undefined, 20n * GAS - 1n)).toBe(waits);
    expect(fees('request', own, 20n, 20n * GAS)).toEqual({ kind: 'legacy', gasPrice: 20n });
  });

  it.each([
    [{ max_attempts_price: '300' }, 301n, 301n, 'max_attempts_price'],
    [{ max_fee: (300n * GAS).toString() }, 301n, 301n, 'the max_fee of policies.transactions.spend_limits'],
    [{}, 300n, 301n, 'gas_price_cap'],
    [{}, 301n, 300n, 'policies.transactions.max_fee'],
    [{}, undefined, undefined, '5 times the market'],
  ])('names the limit that fees are at: %j, %j, %j', (limit, cap, maxFee, name) => {
    const old = {
      ...{ kind: 'request', value: '0', gas_limit: '21000', gas_price: '1000' },
      ...{ max_fee_per_gas: null, max_priority_fee_per_gas: null },
    } as AttemptContent;
    expect(fees('request', limit, cap, maxFee === undefined ? undefined : maxFee * GAS, [old])).toBe(
      `Waiting: the fees are at their limit (${name}), and are not raised any more`,
    );
  });

  it('limits a no-op to a quarter above the cap of the relayer', () => {
    expect(fees('noop', {}, 80n)).toMatchObject({ maxFeePerGas: 100n });
    expect(fees('noop', { max_attempts_price: '20' }, 80n)).toMatchObject({ maxFeePerGas: 100n });
  });
});
