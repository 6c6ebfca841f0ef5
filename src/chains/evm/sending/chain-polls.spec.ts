import { FakeEndpoints } from '../../../../test/support/fake-endpoints';
import { JsonRpcNode } from '../../../../test/support/json-rpc-node';
import { outboundHttp } from '../../../../test/support/outbound';
import { currentRequest, runWithRequest } from '../../../common/http/request-context';
import { RpcEndpoint } from '../../rpc/rpc-endpoint';
import { RpcPool } from '../../rpc/rpc-pool';
import { httpTransport } from '../../rpc/rpc-transport';
import type { ChainView } from '../../transaction-chain';
import { evmChain } from '../evm-chain';
import { ChainPolls } from './chain-polls';

const ALICE = '0x00000000000000000000000000000000000000A1';
const HASH = `0x${'ab'.repeat(32)}`;
const BLOCK_MS = 12_000;
const LIE = 1_000_000;
const hex = (number: number): string => `0x${number.toString(16)}`;
const STALLED_AFTER_MS = 120_000;
const HOUR = 3600;

/** A chain with several endpoints, each with its own head, its age in seconds, and its nonce. */
function start(heads: number[], gasLimits: readonly number[] = []) {
  const time = { now: 0 };
  const ages = heads.map(() => 0);
  const nonces = heads.map(() => 0);
  const endpoints = new FakeEndpoints(
    heads.map((_head, i) => (method) => {
      if (method === 'eth_getTransactionCount') return { result: hex(nonces[i] ?? 0) };
      const number = hex(heads[i] ?? 0);
      const gasLimit = hex(gasLimits[i] ?? 1);
      const timestamp = hex(Math.floor(Date.now() / 1000) - (ages[i] ?? 0));
      return { result: { number, hash: HASH, parentHash: HASH, timestamp, gasLimit } };
    }),
  );
  const polls = new ChainPolls(endpoints.pool, 10, BLOCK_MS, STALLED_AFTER_MS, () => time.now);
  const calls = () => endpoints.count('eth_getBlockByNumber');
  /** How often nonces have been read from each endpoint. */
  const noncesReadFrom = (): number[] =>
    heads.map((_head, i) => endpoints.nodes.count(`https://${i}.example`, 'eth_getTransactionCount'));
  /** What is read after this endpoint has been chosen. */
  const view = async (endpoint: number): Promise<ChainView> => {
    await endpoints.pool.verify(0);
    endpoints.chosen = endpoint;
    return polls.read(ALICE);
  };
  /** The newest block that is accepted after this endpoint has reported its own. */
  const ask = async (endpoint: number): Promise<number> => (await view(endpoint)).head;
  return {
    heads,
    ages,
    nonces,
    time,
    view,
    ask,
    calls,
    noncesReadFrom,
    gasLimit: () => polls.head?.gasLimit,
  };
}

describe('ChainPolls accepts a block', () => {
  it('from one of three endpoints if it is near the last block', async () => {
    const { heads, time, ask, calls } = start([100, 100, 100]);
    expect(await ask(0)).toBe(100);
    const before = calls();
    heads[1] = 102;
    expect(await ask(1)).toBe(102);
    time.now += 10 * BLOCK_MS;
    heads[0] = 110;
    heads[2] = 112;
    expect(await ask(2)).toBe(112);
    expect(await ask(0)).toBe(112);
    expect(calls()).toBe(before + 3);
  });

  it('that most endpoints report if one reports another, from the first poll on', async () => {
    const { heads, time, ask } = start([LIE, 100, 100]);
    expect(await ask(0)).toBe(100);
    expect(await ask(1)).toBe(100);
    time.now += BLOCK_MS;
    heads[1] = heads[2] = 101;
    expect(await ask(0)).toBe(101);
    heads[0] = 0;
    expect(await ask(0)).toBe(101);
  });

  it('that most endpoints report after the chain has leapt ahead', async () => {
    const { heads, ask } = start([100, 100, 100]);
    expect(await ask(0)).toBe(100);
    heads.fill(500);
    expect(await ask(0)).toBe(500);
  });

  it('only within the usual distance between endpoints, however often one lies', async () => {
    const { heads, ask } = start([100, 100, 100]);
    await ask(1);
    let highest = 0;
    for (let i = 0; i < 30; i += 1) {
      heads[0] = Math.max(highest, 100) + 3;
      highest = Math.max(await ask(0), await ask(1));
    }
    expect(highest).toBeLessThanOrEqual(107);
  });

  it.each([1, 2])('from any of %d endpoints', async (count) => {
    const { heads, ask } = start(Array.from({ length: count }, () => 100));
    expect(await ask(0)).toBe(100);
    heads[count - 1] = 500;
    expect(await ask(count - 1)).toBe(500);
  });
});

describe('ChainPolls, if the endpoint that is chosen has stopped following the chain,', () => {
  it.each([2, 3])('uses one of %d that follows it', async (count) => {
    const { heads, ages, nonces, time, view } = start(Array<number>(count).fill(100));
    nonces.fill(45);
    expect(await view(0)).toEqual({ head: 100, nonce: 45, reported: 45 });
    time.now += HOUR * 1000;
    ages[0] = HOUR;
    heads.fill(130, 1);
    nonces.fill(60, 1);
    expect(await view(0)).toEqual({ head: 130, nonce: 60, reported: 60 });
  });

  it('does not call it for nonces for the next 30 s', async () => {
    const { ages, time, view, noncesReadFrom } = start([100, 100, 100]);
    ages[0] = HOUR;
    const counts: number[][] = [];
    for (const now of [0, 29_999, 30_000]) {
      time.now = now;
      const before = noncesReadFrom();
      await view(0);
      counts.push(noncesReadFrom().map((count, i) => count - (before[i] ?? 0)));
    }
    expect(counts).toEqual([
      [1, 1, 0],
      [0, 1, 0],
      [1, 1, 0],
    ]);
  });

  it('uses the block that most endpoints report if another one reports one that is far above', async () => {
    const { heads, ages, view } = start([100, 100, 100]);
    await view(0);
    ages[0] = HOUR;
    heads[1] = LIE;
    expect((await view(0)).head).toBe(100);
  });

  it('compares endpoints every 30 s while none has a recent block', async () => {
    const { ages, nonces, time, view, calls } = start([100, 100]);
    await view(0);
    ages.fill(HOUR);
    nonces[0] = 7;
    const counts: number[] = [];
    for (const now of [0, 10_000, 29_999, 30_000]) {
      time.now = now;
      const before = calls();
      expect(await view(0)).toEqual({ head: 100, nonce: 7, reported: 7 });
      counts.push(calls() - before);
    }
    expect(counts).toEqual([3, 1, 1, 3]);
  });
});

describe('ChainPolls accepts a gas limit', () => {
  const LIMIT = 30_000_000;

  it.each([2, 3, 4])('that most of %d endpoints report if one reports a much lower one', async (count) => {
    const limits = Array<number>(count).fill(LIMIT);
    const { heads, ask, gasLimit } = start(Array<number>(count).fill(100), limits);
    await ask(1);
    limits[0] = 21_000;
    heads.fill(101);
    expect(await ask(0)).toBe(101);
    expect(gasLimit()).toBe(BigInt(LIMIT));
  });

  it('that is the higher of two in the first block', async () => {
    const { ask, gasLimit } = start([100, 100], [21_000, LIMIT]);
    await ask(0);
    expect(gasLimit()).toBe(BigInt(LIMIT));
  });

  it('that all endpoints have lowered, or that one has lowered by up to half', async () => {
    const limits = Array<number>(3).fill(LIMIT);
    const { ask, gasLimit, calls } = start([100, 100, 100], limits);
    await ask(0);
    const before = calls();
    limits[1] = LIMIT / 2;
    await ask(1);
    expect([gasLimit(), calls()]).toEqual([BigInt(LIMIT / 2), before + 1]);
    limits.fill(LIMIT / 10);
    await ask(0);
    expect(gasLimit()).toBe(BigInt(LIMIT / 10));
  });

  it.each([[[LIMIT / 2, LIMIT / 4, LIMIT / 8]], [[2 * LIMIT, 4 * LIMIT]]])(
    'that most endpoints state where one departs from it step by step: %j',
    async (steps) => {
      const limits = Array<number>(3).fill(LIMIT);
      const { ask, gasLimit } = start([100, 100, 100], limits);
      await ask(0);
      for (const step of steps) {
        limits[0] = step;
        await ask(0);
      }
      expect(gasLimit()).toBe(BigInt(LIMIT));
    },
  );

  it('from a single endpoint, however low', async () => {
    const limits = [LIMIT];
    const { ask, gasLimit } = start([100], limits);
    await ask(0);
    limits[0] = 1000;
    await ask(0);
    expect(gasLimit()).toBe(1000n);
  });
});

/** A block as nodes return it, long enough to be parsed over several turns of the event loop. */
const LONG_BLOCK = {
  number: '0x10',
  hash: HASH,
  parentHash: HASH,
  timestamp: '0x1',
  gasLimit: '0x1c9c380',
  transactions: Array<string>(1000).fill(HASH),
};

describe('A poll', () => {
  const http = outboundHttp({ allow: '127.0.0.1' });
  let node: JsonRpcNode;
  let polls: ChainPolls;

  beforeEach(async () => {
    node = await JsonRpcNode.start(1);
    node
      .respondTo('eth_getBlockByNumber', { result: LONG_BLOCK })
      .respondTo('eth_getTransactionCount', { result: '0x5' });
    const endpoint = new RpcEndpoint(node.url, evmChain(1n), httpTransport(http), () => performance.now());
    polls = new ChainPolls(new RpcPool([{ endpoint, weight: 1 }]), 1000, BLOCK_MS, STALLED_AFTER_MS);
  });

  afterEach(() => node.close());
  afterAll(() => http.onApplicationShutdown());

  it('serves all waiting callers, even if the request that started it has ended', async () => {
    let first: Promise<unknown> | undefined;
    runWithRequest('r-1', () => {
      first = polls.read('0xa');
      currentRequest()!.isOver = true;
    });
    const view = { head: 16, nonce: 5, reported: 5 };
    expect(await Promise.all([polls.read('0xb'), first])).toEqual([view, view]);
  });
});
