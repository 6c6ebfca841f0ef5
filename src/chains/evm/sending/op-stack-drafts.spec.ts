import { FakePool, type NodeResponses } from '../../../../test/support/fake-pool';
import type { AttemptOrder, ReplacedAttempt } from '../../transaction-chain';
import { EvmTransactionChain } from './evm-transaction-chain';

const SENDER = `0x${'a1'.repeat(20)}`;
const L1_FEE = 500n;
/** For a gas limit of 21 000. */
const OPERATOR_FEE = 5n;
const FEES = L1_FEE + OPERATOR_FEE;
/** Of a legacy transaction of the speed `fast`, where nodes report a gas price of 100 wei. */
const MARKET = 150n;
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;

const oracle = ([call]: readonly unknown[]) => {
  const { data } = call as { data: string };
  return { result: word(data === `0x275aedd2${word(21_000n).slice(2)}` ? OPERATOR_FEE : L1_FEE) };
};

/** Drafts an attempt of an account with this balance, on an OP stack chain without a base fee. */
async function draft(balance: bigint, order: Partial<AttemptOrder>, responses: NodeResponses = {}) {
  const all: NodeResponses = {
    ...{ eth_gasPrice: { result: '0x64' }, eth_getCode: { result: '0x' } },
    ...{ eth_call: oracle, eth_getBalance: { result: `0x${balance.toString(16)}` } },
    ...{ eth_estimateGas: { result: '0x5208' }, ...responses },
  };
  const fake = await FakePool.start(all, all);
  const chain = new EvmTransactionChain(
    { public: fake.pool, private: undefined },
    {
      ...{ chainId: '10', requiredConfirmations: 1, averageBlocktimeMs: 1000, fees: null },
      ...{ features: [], tags: ['optimism-based'], privateFallbackBlocks: null },
    },
  );
  const request = { to: SENDER, value: '7', data: null, speed: 'fast', gas_limit: '21000' };
  const lists = { type: null, access_list: null, authorization_list: null };
  const drafted = await chain.draft({
    ...{ kind: 'request', sender: SENDER, nonce: 5, wasSigned: false, request: { ...request, ...lists } },
    ...{ replaces: [], limits: { cap: undefined, maxFee: undefined, legacy: true }, ...order },
  });
  if (!('draft' in drafted)) return drafted;
  const { members } = drafted.draft.subject;
  return 'gas_price' in members ? members.gas_price : undefined;
}

const attempt = (gasPrice: bigint, value = '7') =>
  ({
    ...{ kind: 'request', value, gas_limit: '21000', gas_price: gasPrice.toString() },
    ...{ max_fee_per_gas: null, max_priority_fee_per_gas: null, wasAcknowledged: true },
  }) as ReplacedAttempt;

const waitsFor = (wei: bigint) => ({
  waits: `Waiting for funds: the balance of the relayer does not cover ${wei} wei, of which ${FEES} are the L1 and operator fees`,
  forFunds: true,
});

describe('A draft on an OP stack', () => {
  const cost = 7n + 21_000n * MARKET + FEES;

  it('of a first attempt needs funds for the L1 and operator fees', async () => {
    expect(await draft(cost - 1n, {})).toEqual(waitsFor(cost));
    expect(await draft(cost, {})).toBe(MARKET);
  });

  it('of the first attempt after a PUT needs them too', async () => {
    // The account cannot pay for the old content, so nothing of it needs to be replaced.
    const replaces = [attempt(1n, (10n ** 18n).toString())];
    expect(await draft(cost - 1n, { replaces })).toEqual(waitsFor(cost));
    expect(await draft(cost, { replaces })).toBe(MARKET);
  });

  it('of higher fees needs funds for the L1 and operator fees, and leaves an attempt that is paid for', async () => {
    const replaces = [attempt(140n)];
    const higher = 7n + 21_000n * 159n + FEES;
    const order = { wasSigned: true, replaces };
    expect(await draft(higher - 1n, order)).toMatchObject({ forFunds: true });
    expect(await draft(higher, order)).toBe(159n);
  });

  it('of higher fees does not count an attempt that the account cannot pay for with its L1 and operator fees', async () => {
    const old = attempt(1000n);
    const order = {
      wasSigned: true,
      replaces: [old],
      limits: { cap: 2000n, maxFee: undefined, legacy: true },
    };
    const costOfOld = 7n + 21_000n * 1000n + FEES;
    expect(await draft(costOfOld - 1n, order)).toBe(MARKET);
    expect(await draft(costOfOld, order)).toMatchObject({ forFunds: true });
  });
});
