import { AbiCoder, Transaction } from 'ethers';
import { FakePool, type NodeResponses } from '../../../../test/support/fake-pool';
import type { JsonRpcResponse } from '../../rpc/json-rpc';
import { readTransaction } from '../transaction/unsigned-transaction';
import { serializeUnsigned } from '../transaction/serialized-transaction';
import { OpStackFunds } from './op-stack-funds';

const SENDER = '0x0000000000000000000000000000000000000001';
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;
const L1_FEE = { result: word(500n) };
const REVERTED = { error: { code: 3, message: 'execution reverted', data: '0x' } };
/** The cost without the L1 and operator fees: 7 + 21000 × 10 wei. */
const COST = 210_007n;

const transaction = (nonce = 5) =>
  readTransaction({
    ...{ type: 2, chain_id: '10', nonce: nonce.toString(), gas_limit: '21000', to: SENDER, value: '7' },
    ...{ data: '0x', max_fee_per_gas: '10', max_priority_fee_per_gas: '1' },
  });

interface Call {
  to: string;
  data: string;
}

const isOfOperator = ({ data }: Call): boolean => data.startsWith('0x275aedd2');

/** An oracle with an L1 fee, and an operator fee if the chain has one. */
const oracle =
  (l1Fee: JsonRpcResponse, operatorFee: JsonRpcResponse = REVERTED) =>
  ([call]: readonly unknown[]) =>
    isOfOperator(call as Call) ? operatorFee : l1Fee;

const start = async (balance: bigint, responses: NodeResponses = {}) => {
  const all = {
    eth_getBalance: { result: `0x${balance.toString(16)}` },
    eth_call: oracle(L1_FEE),
    ...responses,
  };
  const fake = await FakePool.start(all, all);
  return { fake, funds: new OpStackFunds(fake.pool) };
};

describe('OpStackFunds', () => {
  it('includes the L1 fee in the funds needed', async () => {
    const { funds } = await start(COST + 499n);
    expect(await funds.shortfall(SENDER, transaction())).toBe(
      'Waiting for funds: the balance of the relayer does not cover 210507 wei, of which 500 are the L1 and operator fees',
    );
    expect(await (await start(COST + 500n)).funds.shortfall(SENDER, transaction())).toBeUndefined();
  });

  it('includes the operator fee in the funds needed', async () => {
    const responses = { eth_call: oracle(L1_FEE, { result: word(5n) }) };
    expect(await (await start(COST + 501n, responses)).funds.shortfall(SENDER, transaction())).toBe(
      'Waiting for funds: the balance of the relayer does not cover 210512 wei, of which 505 are the L1 and operator fees',
    );
    const { funds } = await start(COST + 505n, responses);
    expect(await funds.shortfall(SENDER, transaction())).toBeUndefined();
    expect(await funds.feesOf(SENDER, transaction())).toEqual({ data: 500n, operator: 5n });
  });

  it.each<[string, JsonRpcResponse]>([
    ['reverts', REVERTED],
    ['returns nothing', { result: '0x' }],
    ['returns too much', { result: `${word(5n)}00` }],
  ])('assumes no operator fee if the call %s: the oracle has it since Isthmus', async (_what, response) => {
    const { funds } = await start(0n, { eth_call: oracle(L1_FEE, response) });
    expect(await funds.feesOf(SENDER, transaction())).toEqual({ data: 500n, operator: 0n });
  });

  it('passes the gas limit to the oracle', async () => {
    const asked: Call[] = [];
    const { funds } = await start(0n, {
      eth_call: ([call]) => (asked.push(call as Call), REVERTED),
    });
    await funds.shortfall(SENDER, transaction());
    expect(asked.filter(isOfOperator)).toEqual([
      expect.objectContaining({
        to: '0x420000000000000000000000000000000000000F',
        data: `0x275aedd2${word(21_000n).slice(2)}`,
      }),
    ]);
  });

  it('uses the gas price of a legacy transaction', async () => {
    const legacy = readTransaction({
      ...{ type: 0, chain_id: '10', nonce: '5', gas_limit: '21000', to: SENDER, value: '7' },
      ...{ data: '0x', gas_price: '10' },
    });
    expect(await (await start(COST + 499n)).funds.shortfall(SENDER, legacy)).toMatch(/210507 wei/);
    expect(await (await start(COST + 500n)).funds.shortfall(SENDER, legacy)).toBeUndefined();
  });

  it('passes the unsigned bytes to the oracle, ABI-encoded', async () => {
    const all: Call[] = [];
    const { funds } = await start(0n, {
      eth_call: ([call]) => (all.push(call as Call), L1_FEE),
    });
    await funds.shortfall(SENDER, transaction());
    const asked = all.find((call) => !isOfOperator(call))!;
    expect(asked.to).toBe('0x420000000000000000000000000000000000000F');
    expect(asked.data.slice(0, 10)).toBe('0x49948e0e');
    const [bytes] = AbiCoder.defaultAbiCoder().decode(['bytes'], `0x${asked.data.slice(10)}`);
    expect(bytes).toBe(`0x${serializeUnsigned(transaction()).toString('hex')}`);
    expect(Transaction.from(bytes as string).nonce).toBe(5);
  });

  it('reads the L1 fee again for a waiting transaction, in case it was high or wrong', async () => {
    const fees = [word(2n ** 200n), word(500n)];
    const { funds } = await start(COST + 500n, {
      eth_call: ([call]) => (isOfOperator(call as Call) ? REVERTED : { result: fees.shift() }),
    });
    expect(await funds.shortfall(SENDER, transaction())).toMatch(/^Waiting for funds/);
    expect(await funds.shortfall(SENDER, transaction())).toBeUndefined();
  });

  it.each<[string, NodeResponses]>([
    ['has no code', { eth_call: { result: '0x' } }],
    ['reverts', { eth_call: REVERTED }],
    ['cannot be called', { eth_call: { error: { code: -32601, message: 'method not found' } } }],
    ['returns too much', { eth_call: { result: word(1n) + '00' } }],
  ])('assumes no L1 fee if the oracle %s', async (_what, responses) => {
    expect(await (await start(COST, responses)).funds.shortfall(SENDER, transaction())).toBeUndefined();
    expect(await (await start(COST - 1n, responses)).funds.shortfall(SENDER, transaction())).toMatch(
      /cover 210007 wei, of which 0 /,
    );
  });

  it('reports no shortfall if no node responds', async () => {
    const { fake, funds } = await start(0n);
    for (const url of ['https://first.example', 'https://second.example']) fake.nodes.set(url, 'connection');
    expect(await funds.shortfall(SENDER, transaction())).toBeUndefined();
  });
});
