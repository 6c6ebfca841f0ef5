import { FakeEndpoints, type Statement } from '../../../../test/support/fake-endpoints';
import type { JsonRpcResponse } from '../../rpc/json-rpc';
import type { AttemptOrder, ReplacedAttempt } from '../../transaction-chain';
import { noop } from './attempt-form';
import { EndpointError } from '../../rpc/endpoint-error';
import { EvmTransactionChain } from './evm-transaction-chain';

const SENDER = `0x${'a1'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;
const BLOCK_GAS = 30_000_000;
const REQUEST = { ...noop(SENDER), data: '0x12' };

const hex = (number: number): string => `0x${number.toString(16)}`;
const says = (message: string, code = -32000): JsonRpcResponse => ({ error: { code, message } });
const gas = (number: number): JsonRpcResponse => ({ result: hex(number) });

const REVERT = says('execution reverted: no', 3);
const NEVER = says('gas required exceeds allowance (30000000)');
const INVALID = says('intrinsic gas too low');
const UNKNOWN = says('something that nobody has seen before');
const NO_FUNDS = says('insufficient funds for transfer');
const WRONG_CHAIN = says('invalid chain id for signer: have 1 want 2');
const LOW_FEE = says('transaction underpriced');
const ACCEPTED: JsonRpcResponse = { result: HASH };

type Said = JsonRpcResponse | 'silent' | 'no-ops only' | { other: JsonRpcResponse | 'hangs' };

/**
 * A chain whose endpoints respond like this to simulations and transactions, or to nothing from the third block on. The
 * first endpoint is always tried first.
 *
 * @param limits the gas limits that endpoints report from the second block on
 */
async function start(said: readonly Said[], limits: readonly number[] = [], balance = 1) {
  let number = 1;
  const statements = said.map((one, i): Statement => {
    return (method, [call]) => {
      const gasLimit = hex(number === 1 ? BLOCK_GAS : (limits[i] ?? BLOCK_GAS));
      const block = { number: hex(number), hash: HASH, parentHash: HASH, timestamp: '0x1', gasLimit };
      const others: Record<string, JsonRpcResponse> = {
        eth_getBlockByNumber: { result: block },
        eth_getTransactionCount: { result: '0x0' },
        eth_gasPrice: { result: '0x64' },
        eth_feeHistory: { error: { code: -32601, message: 'method not found' } },
        eth_getBalance: { result: hex(balance) },
        eth_blockNumber: { result: hex(number) },
      };
      const other = typeof one === 'object' && 'other' in one ? one.other : undefined;
      if (
        (one === 'no-ops only' || other !== undefined) &&
        (call as { data?: string } | undefined)?.data === '0x'
      )
        others.eth_estimateGas = gas(21_000);
      const known = others[method];
      if (known) return known;
      if (other === 'hangs') throw new EndpointError('timeout', 'took too long');
      if (other) return other;
      return typeof one === 'string' || 'other' in one ? UNKNOWN : one;
    };
  });
  const endpoints = new FakeEndpoints(statements);
  const chain = new EvmTransactionChain(
    { public: endpoints.pool, private: undefined },
    {
      ...{ chainId: '5000', requiredConfirmations: 1, averageBlocktimeMs: 1000, fees: null },
      ...{ features: [], tags: [], privateFallbackBlocks: null },
    },
  );
  await endpoints.pool.verify(0);
  await chain.read(SENDER);
  number = 2;
  await chain.read(SENDER);
  for (const [i, one] of said.entries())
    if (one === 'silent') endpoints.nodes.set(`https://${i}.example`, 'connection');
  return { endpoints, chain };
}

const draft = (chain: EvmTransactionChain, request: object, order: Partial<AttemptOrder> = {}) =>
  chain.draft({
    ...{
      kind: 'request',
      sender: SENDER,
      nonce: 0,
      wasSigned: false,
      request: { ...REQUEST, ...request },
      replaces: [],
    },
    limits: { cap: undefined, maxFee: undefined, legacy: false },
    ...order,
  });

const orderAfter = (gasPrice: bigint, gasLimit = '50000'): Partial<AttemptOrder> => ({
  replaces: [
    {
      ...{ kind: 'request', value: '0', gas_limit: gasLimit, gas_price: `${gasPrice}` },
      ...{ max_fee_per_gas: null, max_priority_fee_per_gas: null, wasAcknowledged: true },
    } as ReplacedAttempt,
  ],
});

describe('A simulation', () => {
  it.each<[readonly Said[], string]>([
    [[REVERT], 'Transaction would revert: no'],
    [[REVERT, REVERT], 'Transaction would revert: no'],
    [[REVERT, REVERT, gas(100_000)], 'Transaction would revert: no'],
    [[REVERT, 'silent'], 'Transaction would revert: no'],
    [[REVERT, UNKNOWN], 'Transaction would revert: no'],
    [[INVALID, INVALID], 'A node considers the transaction invalid'],
    [[NEVER, NEVER], 'Transaction would revert: it uses more gas than a transaction may have'],
  ])('refuses a request if most endpoints agree: %j', async (said, detail) => {
    const { chain } = await start(said);
    await expect(chain.complete(SENDER, { ...REQUEST })).rejects.toMatchObject({ detail });
    expect(await draft(chain, {})).toMatchObject({ refused: detail });
  });

  it.each<[readonly Said[], bigint]>([
    [[REVERT, gas(100_000)], 120_000n],
    [[NEVER, gas(100_000)], 120_000n],
    [[INVALID, gas(100_000)], 120_000n],
    [[REVERT, gas(100_000), gas(110_000)], 132_000n],
    [[REVERT, gas(100_000), 'silent'], 120_000n],
    [[REVERT, gas(100_000), UNKNOWN, UNKNOWN], 120_000n],
  ])('refuses no request if one of several endpoints would: %j', async (said, limit) => {
    const { chain } = await start(said);
    expect(await chain.complete(SENDER, { ...REQUEST })).toMatchObject({ gas_limit: `${limit}` });
    const drafted = await draft(chain, {});
    if (!('draft' in drafted)) throw new Error(JSON.stringify(drafted));
    expect(drafted.draft.subject.members.gas_limit).toBe(limit);
  });

  it.each([1, 20_999])('never results in less than the intrinsic gas: %j', async (estimated) => {
    const { chain } = await start([gas(estimated)]);
    expect(await chain.complete(SENDER, { ...REQUEST })).toMatchObject({ gas_limit: '25220' });
  });

  it('does not refuse a request because of one endpoint while the others cannot simulate it', async () => {
    const { chain } = await start([REVERT, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN]);
    expect(await chain.complete(SENDER, { ...REQUEST })).toMatchObject({ gas_limit: null });
    expect(await draft(chain, {})).toEqual({
      waits: 'Waiting: too few nodes could simulate the transaction',
      forSimulation: true,
    });
    expect(await draft(chain, {}, { believesFew: true })).toMatchObject({
      refused: 'Transaction would revert: no',
    });
  });

  it('is believed if the only endpoint that responds does not refuse the request', async () => {
    const { chain } = await start([gas(100_000), 'silent', 'silent']);
    expect(await chain.complete(SENDER, { ...REQUEST })).toMatchObject({ gas_limit: '120000' });
  });

  it.each([[REVERT], [NEVER], [INVALID]])(
    'is repeated later if fewer than half of the endpoints respond, and refuse the request: %j',
    async (refusal) => {
      const { chain } = await start([refusal, 'silent', 'silent']);
      expect(await chain.complete(SENDER, { ...REQUEST })).toMatchObject({ gas_limit: null });
      expect(await draft(chain, {})).toMatchObject({ waits: expect.any(String) as string });
    },
  );

  it('is repeated before signing if endpoints contradict each other and none estimates the gas', async () => {
    const { chain } = await start([REVERT, NO_FUNDS]);
    expect(await chain.complete(SENDER, { ...REQUEST })).toMatchObject({ gas_limit: null });
    expect(await draft(chain, {})).toMatchObject({ forFunds: true });
  });

  it('runs once, before signing if no node could run it on acceptance', async () => {
    const wanted = { ...REQUEST, gas_limit: '50000', simulate: true };
    const { chain } = await start([NO_FUNDS]);
    const unsimulated = await chain.complete(SENDER, wanted);
    expect(unsimulated).toEqual(wanted);
    expect(await draft(chain, unsimulated)).toMatchObject({ forFunds: true });
    const reverting = await start([REVERT]);
    expect(await draft(reverting.chain, unsimulated)).toMatchObject({
      refused: 'Transaction would revert: no',
    });
    const working = await start([REVERT, gas(30_000)]);
    const drafted = await draft(working.chain, unsimulated);
    if (!('draft' in drafted)) throw new Error(JSON.stringify(drafted));
    expect(drafted.draft.subject.members.gas_limit).toBe(50_000n);

    expect(await draft(reverting.chain, unsimulated, { wasSigned: true })).toHaveProperty('draft');
    const signed = { wasSigned: true, ...orderAfter(1n, '43210') };
    const bumped = await draft(reverting.chain, { ...unsimulated, gas_limit: null }, signed);
    if (!('draft' in bumped)) throw new Error(JSON.stringify(bumped));
    expect(bumped.draft.subject.members.gas_limit).toBe(43_210n);

    const again = await start([REVERT, gas(30_000)]);
    const simulated = await again.chain.complete(SENDER, wanted);
    expect(simulated).toMatchObject({ gas_limit: '50000' });
    const calls = again.endpoints.count('eth_estimateGas');
    expect(await draft(again.chain, simulated)).toHaveProperty('draft');
    expect(again.endpoints.count('eth_estimateGas')).toBe(calls);
  });

  it('refuses a request whose client gave too little gas, if most endpoints agree', async () => {
    const wanted = { ...REQUEST, gas_limit: '50000', simulate: true };
    const detail = 'Transaction would revert: gas_limit (50000) is less than it needs';
    const { chain } = await start([gas(52_000), gas(60_000), gas(40_000)]);
    await expect(chain.complete(SENDER, wanted)).rejects.toMatchObject({ detail });
    expect(await draft(chain, wanted)).toEqual({ refused: detail });
    const enough: Said[][] = [[gas(51_000)], [gas(60_000), gas(51_000)], [gas(60_000), 'silent', 'silent']];
    for (const said of enough) {
      const one = await start(said);
      expect(await one.chain.complete(SENDER, wanted)).toEqual({ ...wanted, simulate: null });
      if (!said.includes('silent')) expect(await draft(one.chain, wanted)).toHaveProperty('draft');
    }
    const ample = await start([gas(41_000), gas(60_000), gas(60_000)]);
    await ample.chain.complete(SENDER, wanted);
    expect(ample.endpoints.count('eth_estimateGas')).toBe(1);
  });

  it.each<[readonly Said[], boolean]>([
    [['no-ops only'], true],
    [['no-ops only', 'no-ops only', UNKNOWN], true],
    [['no-ops only', 'silent'], true],
    [['no-ops only', 'silent', 'silent'], false],
    [['no-ops only', UNKNOWN], false],
    [[UNKNOWN], false],
  ])('that fails for unknown reasons is final in the end, if others succeed: %j', async (said, isFinal) => {
    const { chain } = await start(said);
    const waits = 'Waiting: a node could not simulate it (unknown)';
    expect(await draft(chain, {})).toMatchObject({ waits, forSimulation: true });
    const reason = 'Nodes cannot simulate the transaction, although they simulate others of the account';
    const expected = isFinal ? { refused: reason } : { waits };
    expect(await draft(chain, {}, { believesFew: true })).toMatchObject(expected);
    const unfunded = await draft(chain, { value: '2' }, { believesFew: true });
    expect(unfunded).toMatchObject({ waits });
  });

  it.each<[Said, string]>([
    [
      { other: says('execution aborted (timeout = 5s)') },
      'Waiting: a node could not simulate it (unavailable)',
    ],
    [{ other: says('computation limit exceeded') }, 'Waiting: too few nodes could simulate the transaction'],
    [{ other: 'hangs' }, 'Waiting: too few nodes could simulate the transaction'],
  ])('that takes too long, although others do not, is final in the end: %j', async (said, waits) => {
    const { chain } = await start([said, said]);
    expect(await draft(chain, {})).toMatchObject({ waits, forSimulation: true });
    expect(await draft(chain, {}, { believesFew: true })).toMatchObject({
      refused: 'Nodes cannot simulate the transaction, although they simulate others of the account',
    });
  });

  it.each([says('timed out'), says('rate limit exceeded')])(
    'that fails as a no-op does is repeated later: %j',
    async (said) => {
      const { chain } = await start([said, said]);
      const waits = expect.stringMatching(/^Waiting: .* simulate/) as string;
      expect(await draft(chain, {}, { believesFew: true })).toMatchObject({ waits });
    },
  );

  it('takes one call, or one to each endpoint before a request is refused', async () => {
    const refused = await start([REVERT, REVERT, REVERT]);
    await refused.chain.complete(SENDER, { ...REQUEST }).catch(() => undefined);
    expect(refused.endpoints.count('eth_estimateGas')).toBe(4);
    const estimated = await start([gas(100_000), REVERT, REVERT]);
    await estimated.chain.complete(SENDER, { ...REQUEST });
    expect(estimated.endpoints.count('eth_estimateGas')).toBe(1);
  });
});

describe('An attempt', () => {
  it('need not replace what no node has acknowledged if that cost too much', async () => {
    const { chain } = await start([REVERT], [], 10 ** 12);
    const priceOf = async (order: Partial<AttemptOrder>): Promise<bigint> => {
      const drafted = await draft(chain, { gas_limit: '50000' }, order);
      if (!('draft' in drafted)) throw new Error(JSON.stringify(drafted));
      return (drafted.draft.subject.members as { gas_price: bigint }).gas_price;
    };
    const market = await priceOf({});
    const [acknowledged] = orderAfter(2n * market).replaces ?? [];
    const refused = { ...acknowledged!, wasAcknowledged: false };
    const after = (replaced: ReplacedAttempt) => ({ wasSigned: true, replaces: [replaced] });
    expect(await priceOf(after(refused))).toBeGreaterThan(2n * market);
    expect(await priceOf({ ...after(refused), isAfresh: true })).toBe(market);
    expect(await priceOf({ ...after(acknowledged!), isAfresh: true })).toBeGreaterThan(2n * market);
    const order: AttemptOrder = {
      ...{ kind: 'request', sender: SENDER, nonce: 0, request: { ...REQUEST }, ...after(refused) },
      limits: { cap: undefined, maxFee: undefined, legacy: false },
    };
    expect(await chain.isOverpriced(order, refused)).toBe(true);
    expect(await chain.isOverpriced(order, { ...refused, gas_price: `${market}` })).toBe(false);
  });

  it('offers no more than an earlier one if the account can pay for neither, and gas and fees are the same', async () => {
    const { chain } = await start([REVERT]);
    const request = { gas_limit: '50000' };
    const offersNoMore = async (order?: Partial<AttemptOrder>) => {
      const drafted = await draft(chain, request, order);
      if (!('draft' in drafted)) throw new Error(JSON.stringify(drafted));
      const { offersNoMore: is, subject } = drafted.draft;
      return { is, price: (subject.members as { gas_price: bigint }).gas_price };
    };
    const { is, price } = await offersNoMore();
    expect(is).toBe(false);
    expect(await offersNoMore(orderAfter(price))).toEqual({ is: true, price });
    expect(await offersNoMore(orderAfter(price + 1n))).toEqual({ is: false, price });
    expect(await offersNoMore(orderAfter(price, '50001'))).toEqual({ is: false, price });
  });
});

describe('The gas limit of a block', () => {
  const gas_limit = '20000000';
  const detail = 'Transaction gas limit (20000000) exceeds block gas limit (16000000)';

  it.each([[[16_000_000]], [[16_000_000, 16_000_000]], [[16_000_000, 16_000_000, BLOCK_GAS]]])(
    'refuses a request if most endpoints report it: %j',
    async (limits) => {
      const { chain } = await start(Array<JsonRpcResponse>(limits.length).fill(UNKNOWN), limits);
      await expect(chain.complete(SENDER, { ...REQUEST, gas_limit })).rejects.toMatchObject({ detail });
      expect(await draft(chain, { gas_limit })).toEqual({ refused: detail });
    },
  );

  it.each([[[16_000_000, BLOCK_GAS]], [[16_000_000, BLOCK_GAS, BLOCK_GAS]]])(
    'refuses no request if one of several endpoints reports it: %j',
    async (limits) => {
      const { chain } = await start(Array<JsonRpcResponse>(limits.length).fill(UNKNOWN), limits);
      expect(await chain.complete(SENDER, { ...REQUEST, gas_limit })).toMatchObject({ gas_limit });
      expect(await draft(chain, { gas_limit })).toHaveProperty('draft');
    },
  );

  it('refuses no request if one of several endpoints reports it, and the simulation needs more', async () => {
    const { chain } = await start([gas(17_000_000), gas(17_000_000)], [16_000_000, BLOCK_GAS]);
    expect(await chain.complete(SENDER, { ...REQUEST })).toMatchObject({ gas_limit: '20400000' });
  });
});

describe('A transaction that was sent', () => {
  it.each<[string, readonly (JsonRpcResponse | 'silent')[]]>([
    ['invalid', [INVALID]],
    ['invalid', [INVALID, INVALID]],
    ['invalid', [INVALID, UNKNOWN]],
    ['unavailable', [INVALID, UNKNOWN, UNKNOWN]],
    ['invalid', [INVALID, 'silent']],
    ['invalid', [INVALID, WRONG_CHAIN]],
    ['invalid', [INVALID, INVALID, ACCEPTED]],
    ['accepted', [INVALID, ACCEPTED]],
    ['accepted', [INVALID, LOW_FEE, ACCEPTED]],
    ['fee_too_low', [INVALID, LOW_FEE]],
    ['fee_too_low', [LOW_FEE, INVALID]],
    ['accepted', [ACCEPTED, INVALID]],
    ['unavailable', [INVALID, 'silent', 'silent']],
    ['accepted', [ACCEPTED, 'silent', 'silent']],
    ['accepted', [WRONG_CHAIN, ACCEPTED]],
  ])('has the result that most endpoints report: %s for %j', async (cause, said) => {
    const { chain } = await start(said);
    const valid = { raw: '0x02', hash: HASH };
    expect(await chain.send([valid, valid], false)).toEqual([cause, cause]);
  });

  it('is for another chain only as far as endpoints say so: what follows is perhaps sent', async () => {
    const { chain } = await start([WRONG_CHAIN, WRONG_CHAIN]);
    const valid = { raw: '0x02', hash: HASH };
    expect(await chain.send([valid, valid], false)).toEqual(['wrong_chain', 'unavailable']);
  });
});

describe('An attempt', () => {
  it.each<[readonly Said[], boolean]>([
    [[UNKNOWN], true],
    [[UNKNOWN, UNKNOWN], true],
    [[UNKNOWN, INVALID], true],
    [[UNKNOWN, 'silent'], true],
    [[UNKNOWN, says('too many requests')], true],
    [[UNKNOWN, 'silent', 'silent'], false],
    [[UNKNOWN, says('too many requests'), says('too many requests')], false],
    [[says('too many requests')], false],
    [[UNKNOWN, ACCEPTED], false],
    [[UNKNOWN, says('already known')], false],
    [[UNKNOWN, LOW_FEE], false],
    [[WRONG_CHAIN], false],
    [[WRONG_CHAIN, WRONG_CHAIN, UNKNOWN], false],
  ])('is refused by all endpoints for an unknown reason, given %j: %s', async (said, expected) => {
    const { chain } = await start(said);
    expect(await chain.isRefusedByAll({ raw: '0x02f86b', hash: HASH }, false)).toBe(expected);
  });

  it('is not refused by private endpoints that do not exist', async () => {
    const { chain } = await start([UNKNOWN]);
    expect(await chain.isRefusedByAll({ raw: '0x02f86b', hash: HASH }, true)).toBe(false);
  });
});
