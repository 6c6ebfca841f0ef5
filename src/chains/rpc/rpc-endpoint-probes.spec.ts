import { FakeNodes } from '../../../test/support/fake-nodes';
import { currentRequest, runWithRequest } from '../../common/http/request-context';
import { evmCall } from '../evm/evm-call';
import { evmChain } from '../evm/evm-chain';
import { EndpointError, type EndpointFailure } from './endpoint-error';
import type { JsonRpcResponse } from './json-rpc';
import { type EndpointState, RpcEndpoint } from './rpc-endpoint';

const URL = 'https://node.example';
const CALL = evmCall('eth_gasPrice', []);
const asItIs = (response: JsonRpcResponse): JsonRpcResponse => response;

describe('An endpoint', () => {
  let now: number;
  let nodes: FakeNodes;
  let endpoint: RpcEndpoint;
  let states: EndpointState[];

  beforeEach(() => {
    now = 1_000_000;
    states = [];
    nodes = new FakeNodes().well(URL);
    endpoint = new RpcEndpoint(URL, evmChain(1n), nodes.transport, () => now, {
      changed: (_endpoint, state) => states.push(state),
    });
  });

  const fails = async (): Promise<void> => {
    await expect(endpoint.call(CALL, asItIs)).rejects.toBeInstanceOf(EndpointError);
  };

  describe('after the failure of a call that a client has chosen', () => {
    const chosen: [string, () => Promise<unknown>][] = [
      ['was forwarded', () => endpoint.forward(CALL, 1000)],
      ['executes code', () => endpoint.call(evmCall('eth_estimateGas', []), asItIs)],
    ];
    const ofTheCall: EndpointFailure[] = ['timeout', 'http', 'connection', 'rejected', 'node'];
    const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
    /** Fails all calls but probes. */
    const refuseCalls = (failure: EndpointFailure) =>
      nodes.set(URL, ({ method }) => {
        if (method === 'eth_chainId') return { result: '0x1' };
        throw new EndpointError(failure, failure);
      });

    beforeEach(() => endpoint.verify());

    it.each(chosen.flatMap(([what, call]) => ofTheCall.map((failure) => [what, failure, call] as const)))(
      'that %s stays ready if only that call fails with %s',
      async (_what, failure, call) => {
        refuseCalls(failure);
        for (let i = 0; i < 5; i += 1) await expect(call()).rejects.toMatchObject({ failure });
        await settled();
        expect(states).toEqual(['ready']);
        expect(nodes.count(URL, 'eth_chainId')).toBe(2);
      },
    );

    it.each<EndpointFailure>(['malformed', 'too_large', 'overloaded'])(
      'that was forwarded stays ready if only that call fails with %s',
      async (failure) => {
        refuseCalls(failure);
        await expect(endpoint.forward(CALL, 1000)).rejects.toMatchObject({ failure });
        await settled();
        expect(states).toEqual(['ready']);
      },
    );

    it.each(chosen)('that %s rests for a minute if a probe fails as well', async (_what, call) => {
      nodes.set(URL, 'timeout');
      await expect(call()).rejects.toMatchObject({ failure: 'timeout' });
      await settled();
      expect(endpoint.state).toBe('resting');
      now += 59_999;
      expect(endpoint.isDue).toBe(false);
      now += 1;
      expect(endpoint.isDue).toBe(true);
    });

    it.each<EndpointFailure>(['refused', 'dns', 'tls', 'rate_limited'])(
      'that was forwarded rests at once after %s',
      async (failure) => {
        refuseCalls(failure);
        await expect(endpoint.forward(CALL, 1000)).rejects.toMatchObject({ failure });
        expect(endpoint.state).toBe('resting');
      },
    );

    it('is probed by one call at a time, and not again within two seconds', async () => {
      refuseCalls('timeout');
      const fail = async (): Promise<void> => {
        await Promise.allSettled(Array.from({ length: 20 }, () => endpoint.forward(CALL, 1000)));
        await settled();
      };
      await fail();
      now += 1999;
      await fail();
      expect(nodes.count(URL, 'eth_chainId')).toBe(2);
      now += 1;
      await fail();
      expect(nodes.count(URL, 'eth_chainId')).toBe(3);
    });

    it('is probed outside of the request, which may end first', async () => {
      const requests: unknown[] = [];
      nodes.set(URL, ({ method }) => {
        requests.push([method, currentRequest()?.id]);
        if (method !== 'eth_chainId') throw new EndpointError('timeout', 'timeout');
        return { result: '0x1' };
      });
      const forwarded = new Promise<void>((resolve) => {
        runWithRequest(
          'r1',
          () =>
            void endpoint.forward(CALL, 1000).catch(() => {
              resolve();
            }),
        );
      });
      await forwarded;
      await settled();
      expect(requests).toEqual([
        [CALL.method, 'r1'],
        ['eth_chainId', undefined],
      ]);
    });
  });

  it.each<[string, EndpointFailure | number, boolean]>([
    ['a time-out', 'timeout', true],
    ['a lost connection', 'connection', true],
    ['a rate limit', 'rate_limited', false],
    ['a demand for a rest', 5000, false],
  ])('if it rests after %s (%s), can be probed early: %s', async (_what, cause, isProbed) => {
    await endpoint.verify();
    nodes.set(URL, () => {
      if (typeof cause === 'number') throw new EndpointError('http', 'http', cause);
      throw new EndpointError(cause, cause);
    });
    await fails();
    nodes.well(URL);
    await endpoint.verifyEarly();
    expect(endpoint.isReady).toBe(isProbed);
  });

  it('is probed early at most every two seconds', async () => {
    nodes.set(URL, 'connection');
    await fails();
    for (const [pause, probes] of [
      [0, 1],
      [1999, 1],
      [1, 2],
    ] as const) {
      now += pause;
      await endpoint.verifyEarly().catch(() => undefined);
      expect(nodes.count(URL, 'eth_chainId')).toBe(probes);
    }
  });
});
