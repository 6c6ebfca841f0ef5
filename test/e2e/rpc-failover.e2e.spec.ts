import { keccak256, toBeHex } from 'ethers';
import { NetworksService } from '../../src/networks/networks.service';
import { RpcMetrics } from '../../src/networks/rpc.metrics';
import { RpcPools } from '../../src/networks/rpc-pools';
import { httpTransport } from '../../src/chains/rpc/rpc-transport';
import { OutboundHttp } from '../../src/outbound/outbound-http';
import { Anvil, describeWithAnvil } from '../support/anvil';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { createSqlite, type TestDatabase } from '../support/databases';
import { ask as askPool, EMPTY_JOURNAL } from '../support/fake-nodes';
import { RpcNode, WAYS } from '../support/hostile-nodes';
import { rounds } from '../support/rounds';

/** Rounds for each way in which two of three endpoints fail, of 125 calls each, with 32 in flight. */
const ROUNDS = rounds(4, 2);
const CALLS = 125;
const IN_FLIGHT = 32;
const CHAIN_ID = 424_242;
const BALANCE = 9_007_199_254_740_993n;
/** Replaces the timeout of 10 s for endpoints that use all of it. */
const SHORT_MS = 1000;

type Ask = (call: number) => Promise<unknown>;

const hashOf = (call: number): string => keccak256(toBeHex(call, 32));
const hashCall = (call: number) => ({ method: 'web3_sha3', params: [toBeHex(call, 32)] });

/** Runs all calls, a bounded number at a time, and returns the result or error of each. */
async function inFlight(ask: Ask, first: number): Promise<unknown[]> {
  const responses: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < CALLS) {
      const index = next++;
      responses[index] = await ask(first + index).catch((error: unknown) => error);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return responses;
}

describeWithAnvil('Two of three RPC endpoints that fail', () => {
  let database: TestDatabase;
  let service: TestApplication;
  let anvil: Anvil;
  let nodes: RpcNode[];
  let network: string;
  let relayer: { id: string; address: string };
  let calls = 0;

  beforeAll(async () => {
    database = await createSqlite();
    anvil = await Anvil.create({ chainId: CHAIN_ID });
    service = await TestApplication.start(database, { LOG_LEVEL: 'error' });
  });

  afterAll(async () => {
    await service.close();
    await anvil.stop();
    await database.drop();
  });

  beforeEach(async () => {
    nodes = [];
    network = `net-${calls}`;
    await service.post('/api/v1/networks', { name: network, network_type: 'evm', chain_id: CHAIN_ID });
    relayer = await addRelayer(service, { network });
    await anvil.setBalance(relayer.address, BALANCE);
  });

  afterEach(async () => {
    for (const node of nodes) await node.close();
  });

  const start = async (way: string, tellsChain: boolean): Promise<void> => {
    for (let i = 0; i < 2; i += 1) nodes.push(await RpcNode.start({ way, chainId: CHAIN_ID, tellsChain }));
  };

  /** Endpoints with new URLs in each round, about which the pool knows nothing yet. */
  const endpoints = (round: number): string[] => [...nodes.map(({ url }) => `${url}/${round}`), anvil.url];

  /** Calls the route. */
  const overHttp = async (round: number): Promise<Ask> => {
    const patched = await service.patch(`/api/v1/networks/evm:${network}`, { rpc_urls: endpoints(round) });
    expect(patched.status).toBe(200);
    return async (call) =>
      (await service.post(`/api/v1/relayers/${relayer.id}/rpc`, { id: call, ...hashCall(call) })).body;
  };

  /** Calls the pool directly, through the outgoing HTTP client of the application. */
  const withShortTimeout = async (round: number): Promise<Ask> => {
    const transport = httpTransport(service.app.get(OutboundHttp), { timeoutMs: SHORT_MS });
    const pools = new RpcPools(transport, service.app.get(RpcMetrics), EMPTY_JOURNAL);
    const entity = await service.app.get(NetworksService).getOrThrow(`evm:${network}`);
    const urls = endpoints(round).map((url) => ({ url, weight: 100 }));
    const pool = pools.poolOf(entity, urls, 'relayer')!;
    return async (call) => ({ jsonrpc: '2.0', id: call, ...(await askPool(pool, hashCall(call))) });
  };

  const overHttpForBalance = async (round: number): Promise<Ask> => {
    await overHttp(round);
    return async () => (await service.get(`/api/v1/relayers/${relayer.id}/balance`)).body;
  };

  /** Half of the rounds with nodes that fail from the start, half with nodes that report their chain id first. */
  const run = async (
    way: string,
    prepare: (round: number) => Promise<Ask>,
    expected: (call: number) => unknown,
  ): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round % (ROUNDS / 2) === 0) {
        for (const node of nodes.splice(0)) await node.close();
        await start(way, round > 0);
      }
      const first = calls;
      const responses = await inFlight(await prepare(round), first);
      calls += CALLS;
      expect(responses).toEqual(Array.from({ length: CALLS }, (_, index) => expected(first + index)));
    }
    for (const { others } of nodes) {
      // Calls did reach the nodes that fail after they reported their chain id, but no more than were in flight
      // together.
      if (WAYS[way]!.atOnce) expect(others).toBe(0);
      else expect(others).toBeGreaterThan(0);
      expect(others).toBeLessThanOrEqual((ROUNDS / 2) * IN_FLIGHT);
    }
  };

  it(`are tested with at least ${rounds(10_000, 5_000)} calls`, () => {
    expect(Object.keys(WAYS).length * ROUNDS * CALLS).toBeGreaterThanOrEqual(rounds(10_000, 5_000));
  });

  const byKind = (kind: 'fast' | 'slow' | 'lies') =>
    Object.entries(WAYS)
      .filter(([, { slow, lies }]) => (slow ? 'slow' : lies ? 'lies' : 'fast') === kind)
      .map(([way]) => way);

  const hashed = (call: number) => ({ jsonrpc: '2.0', id: call, result: hashOf(call) });

  it.each(byKind('fast'))('cause no failed call when each %s', async (way) => {
    await run(way, overHttp, hashed);
  });

  it.each(byKind('slow'))('cause no failed call when each %s', async (way) => {
    await run(way, withShortTimeout, hashed);
  });

  it.each(byKind('lies'))('cause no failed call when each %s', async (way) => {
    await run(way, overHttpForBalance, () => ({
      success: true,
      data: { balance: '9007199254740993', unit: 'wei' },
      error: null,
    }));
  });

  it('cause no failed call when they fail in two different ways', async () => {
    const pairs = [
      ['responds with 503', 'responds to another id'],
      ['refuses connections', 'fails every second call'],
      ['serves another chain', 'drops the connection'],
    ];
    for (const [round, ways] of pairs.entries()) {
      for (const node of nodes.splice(0)) await node.close();
      for (const way of ways) nodes.push(await RpcNode.start({ way, chainId: CHAIN_ID, tellsChain: true }));
      const first = calls;
      const responses = await inFlight(await overHttp(round), first);
      calls += CALLS;
      expect(responses).toEqual(Array.from({ length: CALLS }, (_, index) => hashed(first + index)));
    }
  });
});
