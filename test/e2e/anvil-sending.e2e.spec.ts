import { HDNodeWallet, keccak256, Wallet } from 'ethers';
import {
  hasCode,
  isKnown,
  readTimestamp,
  readHead,
  readNonces,
  readReceipts,
} from '../../src/chains/evm/sending/chain-reads';
import { callAt, estimateGas } from '../../src/chains/evm/sending/estimate';
import { readFeeMarket } from '../../src/chains/evm/sending/fee-market';
import { feeSettingsOf } from '../../src/chains/evm/sending/fee-settings';
import { highestPrice, marketFees } from '../../src/chains/evm/sending/fees';
import { findMined } from '../../src/chains/evm/sending/find-mined';
import type { SendCause } from '../../src/chains/send-cause';
import { sendRaw } from '../../src/chains/evm/sending/send-result';
import { evmChain } from '../../src/chains/evm/evm-chain';
import { RpcEndpoint } from '../../src/chains/rpc/rpc-endpoint';
import { RpcPool } from '../../src/chains/rpc/rpc-pool';
import { httpTransport } from '../../src/chains/rpc/rpc-transport';
import { Anvil, describeWithAnvil } from '../support/anvil';
import { outboundHttp } from '../support/outbound';
import { until } from '../support/private-servers';

const RICH = HDNodeWallet.fromPhrase('test test test test test test test test test test test junk');
const POOR = new Wallet(`0x${'42'.repeat(32)}`);
const GWEI = 10n ** 9n;
/** Creation code that reverts with 0x12345678: PUSH4, PUSH0, MSTORE, REVERT(28, 4). */
const REVERTS = '0x63123456785f526004601cfd';
/** PUSH0, PUSH0, REVERT. */
const REVERTS_SILENTLY = '0x5f5ffd';
/** The designated invalid instruction. */
const INVALID = '0xfe';

const call = (data: string) => ({ from: RICH.address, to: null, value: 0n, data });

describeWithAnvil('Sending and reading', () => {
  const http = outboundHttp({ allow: '127.0.0.1' });
  let node: Anvil;
  let pool: RpcPool;

  beforeAll(async () => {
    node = await Anvil.create({ chainId: 31_337 });
    const endpoint = new RpcEndpoint(node.url, evmChain(31_337n), httpTransport(http), () =>
      performance.now(),
    );
    pool = new RpcPool([{ endpoint, weight: 1 }]);
  });

  afterAll(async () => {
    await node.stop();
    await http.onApplicationShutdown();
  });

  const sign = (fields: object, by: Wallet | HDNodeWallet = RICH): Promise<string> =>
    by.signTransaction({
      ...{ type: 2, chainId: 31_337, to: POOR.address, value: 1n, gasLimit: 21_000 },
      ...{ maxFeePerGas: 10n * GWEI, maxPriorityFeePerGas: GWEI },
      ...fields,
    });
  const send = async (raw: string): Promise<SendCause | undefined> =>
    (await sendRaw(pool, [{ raw, hash: keccak256(raw) }]))[0];

  it('reads a fee market whose fees the node accepts', async () => {
    const market = await readFeeMarket(pool, feeSettingsOf('31337', null));
    const fees = marketFees(market, 'fast', { legacy: false, minimumTip: 1n, cap: undefined });
    expect(fees.kind).toBe('dynamic');
    expect(highestPrice(fees)).toBeGreaterThan(market.baseFee);
    const { maxFeePerGas, maxPriorityFeePerGas } = fees as {
      maxFeePerGas: bigint;
      maxPriorityFeePerGas: bigint;
    };
    const raw = await sign({ nonce: 0, maxFeePerGas, maxPriorityFeePerGas });
    expect(await send(raw)).toBe('accepted');
    await until('the receipt', async () => (await readReceipts(pool, [keccak256(raw)])).size === 1);
    const head = await readHead(pool);
    const receipt = (await readReceipts(pool, [keccak256(raw), keccak256('0x00')])).get(keccak256(raw));
    expect(receipt).toMatchObject({
      succeeded: true,
      gasUsed: 21_000n,
      blockNumber: 1,
      blockHash: head.hash,
    });
    expect(await readTimestamp(pool, 1)).toBe(head.timestamp);
    expect(await readTimestamp(pool, 1000)).toBeNull();
    const found = {
      hash: keccak256(raw),
      block_number: 1,
      signed: { raw, content: { hash: keccak256(raw) } },
    };
    const searched = { address: RICH.address, nonce: 0, chainId: '31337', hasOwnTypes: false };
    expect(await findMined(pool, searched, head.number)).toMatchObject(found);
    expect(await send(raw)).toBe('nonce_too_low');
  });

  it.each<[SendCause, object]>([
    ['nonce_too_low', { nonce: 0, value: 2n }],
    ['invalid', { nonce: 1, gasLimit: 20_000 }],
    ['invalid', { nonce: 1, gasLimit: 2n ** 40n }],
    ['fee_too_low', { nonce: 1, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }],
    ['insufficient_funds', { nonce: 1, value: 10n ** 30n }],
  ])('classifies a refused transaction as %s', async (cause, fields) => {
    expect(await send(await sign(fields))).toBe(cause);
    expect(pool.members[0]!.endpoint.isReady).toBe(true);
  });

  it('does not use a node that refuses the chain of a transaction until its chain has been verified', async () => {
    expect(await send(await sign({ nonce: 1, chainId: 5 }))).toBe('wrong_chain');
    expect(pool.members[0]!.endpoint.state).toBe('wrong_chain');
    expect(await pool.servesChain()).toBe(true);
    expect(pool.members[0]!.endpoint.isReady).toBe(true);
  });

  it('recognizes transactions already in the mempool, and underpriced replacements', async () => {
    const raw = await sign({ nonce: 5 });
    expect(await send(raw)).toBe('accepted');
    expect(await send(raw)).toBe('already_known');
    expect(await send(await sign({ nonce: 5, value: 7n }))).toBe('replacement_underpriced');
    expect(await isKnown(pool, keccak256(raw))).toBe(true);
    expect(await isKnown(pool, keccak256('0x00'))).toBe(false);
  });

  it('reads the nonces of several accounts, at the latest and at an earlier block', async () => {
    const addresses = [RICH.address, POOR.address];
    expect([...(await readNonces(pool, addresses)).values()]).toEqual([1, 0]);
    expect([...(await readNonces(pool, addresses, 0)).values()]).toEqual([0, 0]);
    expect(await hasCode(pool, RICH.address)).toBe(false);
  });

  it('distinguishes reverts from results', async () => {
    expect(await estimateGas(pool, { ...call('0x'), to: POOR.address })).toEqual({ gas: 21_000n });
    const reverted = { reason: 'custom error 0x12345678', data: '0x12345678' };
    expect(await estimateGas(pool, call(REVERTS))).toEqual({ reverted });
    expect(await callAt(pool, call(REVERTS), '0x1')).toEqual({ reverted });
    expect(await estimateGas(pool, call(REVERTS_SILENTLY))).toEqual({
      reverted: { reason: 'execution reverted', data: '0x' },
    });
    expect(await estimateGas(pool, call(INVALID))).toHaveProperty('reverted.reason');
  });
});
