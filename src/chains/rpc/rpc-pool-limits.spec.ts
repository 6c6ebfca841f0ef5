import { setTimeout as sleep } from 'node:timers/promises';
import { ask, FakeNodes } from '../../../test/support/fake-nodes';
import { currentRequest, runWithRequest } from '../../common/http/request-context';
import { evmCall } from '../evm/evm-call';
import { evmChain } from '../evm/evm-chain';
import { RpcEndpoint } from './rpc-endpoint';
import { RpcPool } from './rpc-pool';

const A = 'https://a.example';
const B = 'https://b.example';
const CALL = evmCall('eth_getBalance', ['0x01', 'latest']);
const SEND = { method: 'eth_sendRawTransaction', params: ['0x02'] };

describe('The limits of an RpcPool', () => {
  let nodes: FakeNodes;

  beforeEach(() => {
    nodes = new FakeNodes().well(A).well(B);
  });

  const poolOf = (...urls: string[]): RpcPool =>
    new RpcPool(
      urls.map((url) => ({
        endpoint: new RpcEndpoint(url, evmChain(1n), nodes.transport, () => performance.now()),
        weight: 100,
      })),
    );

  const settled = (): Promise<void> => sleep(1);

  it('refuse further calls instead of queueing them', async () => {
    const one = poolOf(A);
    await one.verify(0);
    nodes.set(A, () => new Promise(() => undefined));
    for (let i = 0; i < 1024; i += 1) void ask(one, SEND);
    await settled();
    await expect(ask(one, SEND)).rejects.toMatchObject({ failure: 'overloaded' });
  });

  it('leave half of what an API key may use to others', async () => {
    const one = poolOf(A);
    await one.verify(0);
    nodes.set(A, () => new Promise(() => undefined));
    const send = (keyId: string) =>
      new Promise((resolve, reject) => {
        runWithRequest('id', () => {
          currentRequest()!.keyId = keyId;
          ask(one, SEND).then(resolve, reject);
        });
      });
    for (let i = 0; i < 512; i += 1) void send('greedy');
    await settled();
    await expect(send('greedy')).rejects.toMatchObject({ failure: 'overloaded' });
    nodes.well(A);
    expect(await send('other')).toEqual({ result: A });
  });

  it('count calls that compare endpoints for clients among those for clients', async () => {
    const two = poolOf(A, B);
    await two.verify(0);
    const [first] = await two.forClients.apart();
    nodes.set(A, () => new Promise(() => undefined));
    for (let i = 0; i < 1024; i += 1) void first!.read(CALL, () => 'read');
    await settled();
    nodes.well(A);
    await expect(two.forClients.read(CALL, () => 'read')).rejects.toMatchObject({ failure: 'overloaded' });
    expect(await two.read(CALL, () => 'read')).toBe('read');
  });
});
