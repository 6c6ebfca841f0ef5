import { evmCall } from '../evm/evm-call';
import { evmChain } from '../evm/evm-chain';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, EMPTY_JOURNAL, FakeNodes } from '../../../test/support/fake-nodes';
import { currentRequest, runWithRequest } from '../../common/http/request-context';
import { ENDPOINT_FAILURES, EndpointError, RpcUnavailableError } from './endpoint-error';
import { type JsonRpcResponse, MalformedResponseError } from './json-rpc';
import { RpcEndpoint } from './rpc-endpoint';
import { RpcPool } from './rpc-pool';
import { CALL_TIMEOUT_MS } from './rpc-transport';

const A = 'https://a.example';
const B = 'https://b.example';
const C = 'https://c.example';
const CALL = evmCall('eth_getBalance', ['0x01', 'latest']);
const SEND = { method: 'eth_sendRawTransaction', params: ['0x02'] };

describe('RpcPool', () => {
  let now: number;
  let nodes: FakeNodes;
  let failOvers: number;

  beforeEach(() => {
    now = 1_000_000;
    failOvers = 0;
    nodes = new FakeNodes().well(A).well(B).well(C);
  });

  const pool = (
    weights: Record<string, number> = { [A]: 100, [B]: 100, [C]: 100 },
    random = Math.random,
  ): RpcPool =>
    new RpcPool(
      Object.entries(weights).map(([url, weight]) => ({
        endpoint: new RpcEndpoint(url, evmChain(1n), nodes.transport, () => now),
        weight,
      })),
      { failedOver: () => (failOvers += 1) },
      random,
    );

  it('distributes calls by weight', async () => {
    let step = 0;
    const two = pool({ [A]: 75, [B]: 25 }, () => (step++ % 100) / 100);
    await two.verify(0);
    for (let i = 0; i < 100; i += 1) await ask(two, SEND);
    expect([nodes.count(A, SEND.method), nodes.count(B, SEND.method)]).toEqual([75, 25]);
  });

  it.each(ENDPOINT_FAILURES)('fails over to another endpoint after %s', async (failure) => {
    const three = pool();
    await three.verify(0);
    nodes.set(A, failure).set(B, failure);
    for (let i = 0; i < 50; i += 1) expect(await ask(three, CALL)).toEqual({ result: C });
    expect(nodes.count(A, CALL.method)).toBeLessThanOrEqual(1);
    expect(nodes.count(B, CALL.method)).toBeLessThanOrEqual(1);
    expect(failOvers).toBeGreaterThan(0);
  });

  it.each(ENDPOINT_FAILURES)('starts with a healthy endpoint if the others fail with %s', async (failure) => {
    nodes.set(A, failure).set(B, failure);
    expect(await ask(pool(), CALL)).toEqual({ result: C });
  });

  it('never waits for a hanging endpoint if another is healthy', async () => {
    nodes.set(A, () => new Promise(() => undefined));
    expect(await ask(pool({ [A]: 100, [B]: 1 }), CALL)).toEqual({ result: B });
  });

  it('never uses an endpoint of another chain', async () => {
    nodes.set(A, ({ method }) => ({ result: method === 'eth_chainId' ? '0x2' : 'wrong' }));
    const two = pool({ [A]: 100, [B]: 1 });
    for (let i = 0; i < 20; i += 1) expect(await ask(two, SEND)).toEqual({ result: B });
    expect(nodes.count(A, SEND.method)).toBe(0);
  });

  it('returns an error that belongs to the caller, and calls no other endpoint', async () => {
    const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' };
    for (const url of [A, B, C])
      nodes.set(url, ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : { error }));
    expect(await ask(pool(), CALL)).toEqual({ error });
    expect(nodes.calls.filter((call) => call.endsWith(CALL.method))).toHaveLength(1);
  });

  it('calls another endpoint if a node lacks the data, and returns the error if all lack it', async () => {
    const error = { code: -32000, message: 'header not found' };
    const unaware = ({ method }: { method: string }) =>
      method === 'eth_chainId' ? { result: '0x1' } : { error };
    nodes.set(A, unaware).set(B, unaware);
    const three = pool();
    await three.verify(0);
    expect(await ask(three, CALL)).toEqual({ result: C });
    nodes.set(C, unaware);
    expect(await ask(three, CALL)).toEqual({ error });
    expect(three.members.every(({ endpoint }) => endpoint.isReady)).toBe(true);
  });

  it('probes a resting endpoint once, in parallel with the calls', async () => {
    const two = pool({ [A]: 100, [B]: 100 });
    await two.verify(0);
    nodes.set(A, 'timeout');
    for (let i = 0; i < 20; i += 1) await ask(two, SEND);
    nodes.calls.length = 0;
    nodes.set(A, () => sleep(50, { result: '0x1' }));
    now += 60_000;
    const responses = await Promise.all(Array.from({ length: 100 }, () => ask(two, SEND)));
    expect(new Set(responses.map((response) => JSON.stringify(response)))).toEqual(
      new Set([`{"result":"${B}"}`]),
    );
    expect([nodes.count(A, 'eth_chainId'), nodes.count(A, SEND.method)]).toEqual([1, 0]);
  });

  it('tries the endpoint that has rested longest if all rest', async () => {
    const three = pool();
    await three.verify(0);
    for (const url of [A, B, C]) nodes.set(url, 'timeout');
    const [a, b, c] = three.members.map(({ endpoint }) => endpoint);
    for (const endpoint of [b, a, c]) {
      await expect(endpoint!.verify()).rejects.toThrow();
      now += 1000;
    }
    nodes.calls.length = 0;
    for (let i = 0; i < 3; i += 1) {
      await expect(ask(three, CALL)).rejects.toMatchObject({ failure: 'timeout' });
      now += 1000;
    }
    expect(nodes.calls).toEqual([`${B} eth_chainId`, `${A} eth_chainId`, `${C} eth_chainId`]);
    nodes.well(B);
    expect(await ask(three, CALL)).toEqual({ result: B });
  });

  describe('when all endpoints rest and the one that has rested longest', () => {
    const hangs = (): Promise<never> => new Promise(() => undefined);
    let two: RpcPool;

    /** A has rested longer than B. */
    beforeEach(async () => {
      two = pool({ [A]: 100, [B]: 100 });
      await two.verify(0);
      const [a, b] = two.members.map(({ endpoint }) => endpoint);
      nodes.set(A, 'connection').set(B, 'connection');
      await expect(a!.verify()).rejects.toThrow();
      now += 1000;
      await expect(b!.verify()).rejects.toThrow();
      now += 1000;
      nodes.well(B);
    });

    it('hangs, tries the other without waiting', async () => {
      nodes.set(A, hangs);
      expect(await ask(two, CALL)).toEqual({ result: B });
    });

    it.each([
      ['hangs', hangs],
      ['was rejected', 'rejected' as const],
    ])('%s, tries the other again after a dropped connection', async (_what, behaviour) => {
      nodes.set(A, behaviour);
      let dropped = false;
      nodes.set(B, ({ method }) => {
        if (method === 'eth_chainId') return { result: '0x1' };
        if (dropped) return { result: B };
        dropped = true;
        throw new EndpointError('connection', 'was dropped');
      });
      await two.members[1]!.endpoint.verify();
      expect(await ask(two, CALL)).toEqual({ result: B });
    });

    it.each(['refused', 'rejected', 'tls', 'wrong_chain'] as const)(
      'fails until it is repaired (%s), tries the other too',
      async (failure) => {
        nodes.set(A, failure);
        expect(await ask(two, CALL)).toEqual({ result: B });
      },
    );
  });

  it('calls the only endpoint again after a moment, in case it only dropped the connection', async () => {
    const one = pool({ [A]: 100 });
    await one.verify(0);
    let dropped = false;
    nodes.set(A, ({ method }) => {
      if (method === 'eth_chainId') return { result: '0x1' };
      if (dropped) return { result: A };
      dropped = true;
      throw new EndpointError('connection', 'was dropped');
    });
    expect(await ask(one, CALL)).toEqual({ result: A });
  });

  it('avoids an endpoint if a process ended during a call to it, unless it is the only one', async () => {
    const interruptionOf = (url: string) =>
      Promise.resolve(url === A ? { restMs: 300_000, isBarred: false } : undefined);
    const endpoint = (url: string) =>
      new RpcEndpoint(
        url,
        evmChain(1n),
        nodes.transport,
        () => now,
        {},
        { ...EMPTY_JOURNAL, interruptionOf, interruptionAfterOthers: interruptionOf },
      );
    const two = new RpcPool([A, B].map((url) => ({ endpoint: endpoint(url), weight: 100 })));
    for (let i = 0; i < 20; i += 1) expect(await ask(two, CALL)).toEqual({ result: B });
    expect(await two.verify(0)).toBe(true);
    expect(nodes.calls.filter((call) => call.startsWith(A))).toEqual([]);
    const one = new RpcPool([{ endpoint: endpoint(A), weight: 100 }]);
    expect(await ask(one, CALL)).toEqual({ result: A });
  });

  it('reports the failure if no endpoint responds', async () => {
    for (const url of [A, B, C]) nodes.set(url, 'rejected');
    const failing = pool();
    await expect(ask(failing, CALL)).rejects.toBeInstanceOf(RpcUnavailableError);
    await expect(ask(failing, CALL)).rejects.toMatchObject({ failure: 'rejected' });
  });

  it('shares one call among equal concurrent reads, but not among other calls', async () => {
    const one = pool({ [A]: 100 });
    await Promise.all([
      ...Array.from({ length: 30 }, () => ask(one, CALL)),
      ask(one, { ...CALL, params: ['0x02'] }),
    ]);
    expect(nodes.count(A, CALL.method)).toBe(2);
    await ask(one, CALL);
    expect(nodes.count(A, CALL.method)).toBe(3);
    await Promise.all(Array.from({ length: 5 }, () => ask(one, SEND)));
    expect(nodes.count(A, SEND.method)).toBe(5);
  });

  it('does not share calls among clients, whose turns may be far apart', async () => {
    const one = pool({ [A]: 100 });
    const as = (keyId: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        runWithRequest(keyId, () => {
          Object.assign(currentRequest()!, { keyId });
          ask(one, CALL).then(resolve, reject);
        });
      });
    await Promise.all([as('one'), as('one'), as('other')]);
    expect(nodes.count(A, CALL.method)).toBe(2);
  });

  it('fails over to another endpoint if a response is malformed', async () => {
    const two = pool({ [A]: 100, [B]: 100 }, () => 0);
    await two.verify(0);
    const read = two.read(CALL, (response) => {
      if ('result' in response && response.result === A) throw new MalformedResponseError('is from A');
      return response;
    });
    expect(await read).toEqual({ result: B });
  });

  it('calls another endpoint if there is no memory for a response, and the same endpoint again later', async () => {
    const two = pool({ [A]: 100, [B]: 100 }, () => 0);
    await two.verify(0);
    const long = ({ method }: { method: string }) =>
      method === 'eth_chainId'
        ? { result: '0x1' }
        : Promise.reject(new EndpointError('overloaded', 'is long'));
    nodes.set(A, long);
    expect(await ask(two, CALL)).toEqual({ result: B });
    nodes.set(B, long);
    await expect(ask(two, CALL)).rejects.toMatchObject({ failure: 'overloaded' });
    nodes.well(A);
    expect(await ask(two, CALL)).toEqual({ result: A });
  });

  it('reports that a response is too large, even if another endpoint is down', async () => {
    const two = pool({ [A]: 100, [B]: 100 }, () => 0);
    await two.verify(0);
    nodes.set(B, 'connection').set(A, ({ method }) => {
      if (method === 'eth_chainId') return { result: '0x1' };
      throw new EndpointError('too_large', 'is long');
    });
    const read = two.read(evmCall('eth_getTransactionReceipt', []), (response) => response);
    await expect(read).rejects.toMatchObject({ failure: 'too_large' });
    // Another download would not be smaller.
    expect(nodes.count(A, 'eth_getTransactionReceipt')).toBe(1);
  });

  it('reaches the endpoint that responds after two that use their full time-out', async () => {
    jest.useFakeTimers();
    const three = pool(undefined, () => 0);
    await three.verify(0);
    const hang = (): Promise<never> =>
      new Promise((_resolve, reject) => {
        setTimeout(() => {
          reject(new EndpointError('timeout', 'hangs'));
        }, CALL_TIMEOUT_MS);
      });
    nodes.set(A, hang).set(B, hang);
    const response = ask(three, CALL).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(2 * CALL_TIMEOUT_MS);
    jest.useRealTimers();
    expect(await response).toEqual({ result: C });
  });

  it('is verified if one endpoint is, even after all have failed', async () => {
    const two = pool({ [A]: 100, [B]: 100 });
    nodes.set(A, 'connection').set(B, 'connection');
    expect(await two.verify(0)).toBe(false);
    nodes.well(A);
    expect(await two.verify(0)).toBe(true);
  });

  describe('readAll', () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, i) => evmCall('eth_getBalance', [`0x${i}`, 'latest']));
    const textOf = (response: JsonRpcResponse, index: number): string =>
      `${index} ${'error' in response ? response.error.message : String(response.result)}`;
    const expected = (count: number, text: string) => Array.from({ length: count }, (_, i) => `${i} ${text}`);

    it('sends up to 100 calls in one request', async () => {
      const one = pool({ [A]: 1 });
      expect(await one.readAll(calls(250), textOf)).toEqual(expected(250, A));
      expect(nodes.batches).toEqual([100, 100, 50]);
    });

    it('sends a single call without a batch, and nothing for no calls', async () => {
      const one = pool({ [A]: 1 });
      expect(await one.readAll(calls(1), textOf)).toEqual(expected(1, A));
      expect(await one.readAll([], textOf)).toEqual([]);
      expect(nodes.batches).toEqual([]);
      expect(nodes.count(A, CALL.method)).toBe(1);
    });

    it('sends single calls to an endpoint without batch support', async () => {
      nodes.refuseBatches(A);
      const one = pool({ [A]: 1 });
      expect(await one.readAll(calls(30), textOf)).toEqual(expected(30, A));
      expect(nodes.count(A, CALL.method)).toBe(30);
    });

    it.each(ENDPOINT_FAILURES)('fails over to another endpoint after %s', async (failure) => {
      const two = pool({ [A]: 1, [B]: 1 }, () => 0);
      await two.verify(0);
      nodes.set(A, failure);
      expect(await two.readAll(calls(5), textOf)).toEqual(expected(5, B));
      expect(two.members.map(({ endpoint }) => endpoint.isReady)).toEqual([false, true]);
    });

    it.each([true, false])(
      'fails over if the error of one call is a fault of the endpoint (batches: %s)',
      async (hasBatches) => {
        if (!hasBatches) nodes.refuseBatches(A);
        const two = pool({ [A]: 1, [B]: 1 }, () => 0);
        await two.verify(0);
        nodes.set(A, ({ params }) =>
          (params as string[])[0] === '0x3' ? { error: { code: 429, message: 'slow down' } } : { result: A },
        );
        expect(await two.readAll(calls(5), textOf)).toEqual(expected(5, B));
      },
    );

    it('calls another endpoint only for the data that a node lacks', async () => {
      const two = pool({ [A]: 1, [B]: 1 }, () => 0);
      await two.verify(0);
      const unaware = { error: { code: -32000, message: 'header not found' } };
      nodes.set(A, ({ params }) => (/0x[13]/.test(String(params)) ? unaware : { result: A }));
      nodes.set(B, ({ params }) => (String(params).startsWith('0x3') ? unaware : { result: B }));
      expect(await two.readAll(calls(5), textOf)).toEqual([
        `0 ${A}`,
        `1 ${B}`,
        `2 ${A}`,
        '3 header not found',
        `4 ${A}`,
      ]);
      expect(nodes.batches).toEqual([5, 2]);
      expect(two.members.every(({ endpoint }) => endpoint.isReady)).toBe(true);
    });

    it('reports the failure if no endpoint responds', async () => {
      nodes.set(A, 'timeout');
      await expect(pool({ [A]: 1 }).readAll(calls(5), textOf)).rejects.toMatchObject({ failure: 'timeout' });
    });
  });
});
