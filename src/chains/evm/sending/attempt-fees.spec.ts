import type { AttemptOrder, ReplacedAttempt } from '../../transaction-chain';
import { type FeeNetwork, feesIn, feesOf } from './attempt-fees';
import { type FeeMarket, highestPrice } from './fees';

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
  replaces: ReplacedAttempt[] = [],
  wasSigned = true,
) =>
  feesOf(
    {
      ...{ kind, sender: '0x', nonce: 0, wasSigned, request: { speed: 'fast', ...request }, replaces },
      limits: { cap, maxFee, legacy: false },
    },
    GAS,
    MARKET,
    { minimumTip: 1n, legacy: false, features: ['eip1559'] },
  );

const attempt = (price: bigint, wasAcknowledged = true, kind = 'request') =>
  ({
    ...{ kind, value: '0', gas_limit: '21000', gas_price: price.toString() },
    ...{ max_fee_per_gas: null, max_priority_fee_per_gas: null, wasAcknowledged },
  }) as ReplacedAttempt;

describe('feesOf', () => {
  const feesWith = (limits: object, network: Partial<FeeNetwork>, request: Record<string, unknown>) => {
    const kind: AttemptOrder['kind'] = 'request';
    const order = { kind, sender: '0x', nonce: 0, wasSigned: false, request, replaces: [] };
    return feesOf(
      { ...order, limits: { cap: undefined, maxFee: undefined, legacy: false, ...limits } },
      GAS,
      MARKET,
      { minimumTip: 1n, legacy: false, features: ['eip1559'], ...network },
    );
  };

  it.each<[object, Partial<FeeNetwork>, Record<string, unknown>]>([
    [{ legacy: true }, {}, {}],
    [{}, { legacy: true }, {}],
    [{}, { features: ['other'] }, {}],
    [{}, {}, { type: 0 }],
    [{}, {}, { type: 1 }],
  ])(
    'are a gas price if any of the policies, the network and the type demands it: %j, %j, %j',
    (...given) => {
      expect(feesWith(...given)).toMatchObject({ kind: 'legacy' });
    },
  );

  it('have the kind of EIP-1559 otherwise', () => {
    expect(feesWith({}, {}, { type: 2 })).toEqual(OF_THE_MARKET);
  });

  it('follow the speed of the request, but not for a no-op', () => {
    expect(fees('request', { speed: 'fastest' })).toMatchObject({ maxPriorityFeePerGas: 20n });
    expect(fees('noop', { speed: 'fastest' })).toMatchObject({ maxPriorityFeePerGas: 10n });
  });

  it('follow the market unless both fees are given', () => {
    const given = { max_fee_per_gas: '500', max_priority_fee_per_gas: '7' };
    expect(fees('request', given)).toEqual({
      ...{ kind: 'dynamic', maxFeePerGas: 500n, maxPriorityFeePerGas: 7n },
    });
    expect(fees('request', { max_fee_per_gas: '500' })).toEqual(OF_THE_MARKET);
    expect(fees('request', { max_priority_fee_per_gas: '7' })).toEqual(OF_THE_MARKET);
  });

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
    const old = [attempt(1000n)];
    expect(fees('request', limit, cap, maxFee === undefined ? undefined : maxFee * GAS, old)).toBe(
      `Waiting: the fees are at their limit (${name}), and are not raised any more`,
    );
  });

  const AT = { cap: 'gas_price_cap', market: '5 times the market' };
  const waits = (limit: keyof typeof AT): string =>
    `Waiting: the fees are at their limit (${AT[limit]}), and are not raised any more`;
  const [acknowledged, refused] = [true, false];

  it.each<[string, boolean, bigint | undefined, ReplacedAttempt[], bigint | string]>([
    ['new content replaces an acknowledged attempt above 5 times the market', false, undefined, [attempt(1600n, acknowledged)], 1801n],
    ['new content never exceeds the cap', false, 300n, [attempt(290n, acknowledged)], 300n],
    ['new content need not replace a refused attempt at the cap', false, 300n, [attempt(300n, refused)], 210n],
    ['new content need not replace a refused attempt above 5 times the market', false, undefined, [attempt(1600n, refused)], 210n],
    ['new content replaces a refused attempt if the cap allows it', false, 300n, [attempt(240n, refused)], 271n],
    ['the same content waits for the cap', true, 300n, [attempt(290n, acknowledged)], waits('cap')],
    ['the same content waits if a refused attempt is at the cap', true, 200n, [attempt(200n, refused)], waits('cap')],
    ['the same content is raised to the cap if the attempt was refused', true, 200n, [attempt(190n, refused)], 200n],
    ['the same content waits if a refused attempt offers more than the market', true, 300n, [attempt(280n, refused)], waits('cap')],
    ['an increase need not exceed what was refused before a cheaper attempt was accepted', true, undefined, [attempt(800n, refused), attempt(400n, acknowledged)], 451n],
    ['an increase exceeds what was refused after a cheaper attempt was accepted', true, undefined, [attempt(400n, acknowledged), attempt(800n, refused)], 901n],
    ['an increase exceeds a cheaper attempt that was refused before', true, undefined, [attempt(300n, refused), attempt(400n, acknowledged)], 451n],
    ['content after a refused attempt of earlier content is raised', true, undefined, [attempt(1600n, refused), attempt(240n, acknowledged)], 271n],
  ])('limits the price: %s', (_what, wasSigned, cap, replaces, expected) => {
    const found = fees('request', {}, cap, undefined, replaces, wasSigned);
    expect(typeof found === 'string' ? found : highestPrice(found)).toBe(expected);
  }); // prettier-ignore

  it('does not raise fees beyond the usual limit because more is reserved for other content', () => {
    const reserved = { max_fee: (5000n * GAS).toString() };
    const at = (price: bigint, wasSigned: boolean) =>
      fees('request', reserved, undefined, undefined, [attempt(price)], wasSigned);
    expect(at(1600n, true)).toBe(waits('market'));
    expect(at(400n, true)).toMatchObject({ maxFeePerGas: 451n });
    // New content replaces the old one nevertheless.
    expect(at(1600n, false)).toMatchObject({ maxFeePerGas: 1801n });
  });

  it('offers no higher tip than that of the market at the limit', () => {
    expect(fees('request', {}, 300n, undefined, [attempt(290n)], false)).toEqual({
      ...{ kind: 'dynamic', maxFeePerGas: 300n, maxPriorityFeePerGas: 10n },
    });
  });

  it('replaces a no-op at the limit if more gas is needed', () => {
    const replaces = [attempt(80n), { ...attempt(100n, false, 'noop'), gas_limit: '20999' }];
    expect(fees('noop', {}, 80n, undefined, replaces)).toMatchObject({ maxFeePerGas: 100n });
    const same = [attempt(80n), attempt(100n, false, 'noop')];
    expect(fees('noop', {}, 80n, undefined, same)).toBe(waits('cap'));
  });

  it('limits a no-op to a quarter above the cap of the relayer', () => {
    expect(fees('noop', {}, 80n)).toMatchObject({ maxFeePerGas: 100n });
    expect(fees('noop', { max_attempts_price: '20' }, 80n)).toMatchObject({ maxFeePerGas: 100n });
  });
});

describe('feesIn', () => {
  it('reads both forms', () => {
    expect(feesIn(attempt(20n))).toEqual({ kind: 'legacy', gasPrice: 20n });
    const dynamic = { gas_price: null, max_fee_per_gas: '30', max_priority_fee_per_gas: '4' };
    expect(feesIn({ ...attempt(0n), ...dynamic })).toEqual({
      ...{ kind: 'dynamic', maxFeePerGas: 30n, maxPriorityFeePerGas: 4n },
    });
  });
});
