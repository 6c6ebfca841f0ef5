import { EXAMPLES } from '../../src/app/openapi/examples';
import { DemonstrationService } from '../../src/provisioning/demonstration/demonstration.service';
import { document, type Json, operations, resolved } from '../openapi/document';
import { describeWithAnvil } from '../support/anvil';
import { allows, operationOf } from '../openapi/request-schemas';
import { describeService } from '../support/describe-service';
import type { HttpResponse } from '../support/http';
import { TestChain } from '../support/test-chain';

/** Operations that need a chain on which the account has funds. */
const ON_CHAIN = ['rpc', 'sendTransaction', 'sendTransactionBatch', 'replaceTransaction'];

/** An order in which each example finds the resources that it needs, and nothing stays frozen or paused. */
const ORDER = [
  'createSigner',
  'createNotification',
  'updateNotification',
  'createNetwork',
  'createRelayer',
  'updateRelayer',
  'sign',
  'signTypedData',
  'signTypedDataBatch',
  'signTransaction',
  'freezeSigning',
  'unfreezeSigning',
  'replayDeadDeliveries',
  'createApiKey',
  'updateApiKey',
  'rotateApiKey',
  'updateNetwork',
];

const examplesOf = (id: string): [summary: string, value: object][] =>
  Object.values<Json>(operationOf(id).operation.requestBody.content['application/json'].examples).map(
    ({ summary, value }) => [summary as string, value as object],
  );

/** The path of an operation with the examples of its parameters; generated ids come from `known`. */
function pathOf(id: string, known: Record<string, string> = {}): string {
  const { route, operation } = operationOf(id);
  const parameters = ((operation.parameters ?? []) as Json[]).map(resolved);
  const [, path = ''] = route.split(' ');
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = known[name] ?? (parameters.find((each) => each.name === name)?.example as string);
    return encodeURIComponent(value);
  });
}

const isAccepted = ({ status }: HttpResponse): boolean => status === 200 || status === 201;

describeService('Examples of the OpenAPI document', { onlySqlite: true }, ({ service }) => {
  let keyId = '';

  beforeAll(() => service.app.get(DemonstrationService).ensure());

  const send = async (id: string, body: unknown, known: Record<string, string> = {}) => {
    const [method = ''] = operationOf(id).route.split(' ');
    return service.call({ method, path: pathOf(id, known), body });
  };

  it('match those of the source, and are all sent by these tests', () => {
    const documented = operations.flatMap(([, { operationId, requestBody }]) =>
      requestBody?.content['application/json'].examples ? [operationId as string] : [],
    );
    expect(documented.sort()).toEqual(Object.keys(EXAMPLES).sort());
    expect([...ORDER, ...ON_CHAIN].sort()).toEqual(documented);
    const without = operations.flatMap(([, { operationId, requestBody }]) =>
      requestBody && !documented.includes(operationId as string) ? [operationId as string] : [],
    );
    expect(without).toEqual(['updateSigner']);
  });

  it.each(ORDER)('of %s work as written', async (id) => {
    for (const [summary, value] of examplesOf(id)) {
      expect([summary, allows(id, value)]).toEqual([summary, true]);
      const response = await send(id, value, { key_id: keyId });
      expect([summary, response.status, response.body?.error]).toEqual([
        summary,
        isAccepted(response) ? response.status : 'accepted',
        null,
      ]);
      if (id === 'createApiKey') keyId = response.body.data.id as string;
      if (id === 'signTypedDataBatch')
        expect(response.body.data.map(({ success }: { success: boolean }) => success)).toEqual([true, true]);
    }
  });

  it('of parameters work as written', async () => {
    const shown = operations.filter(
      ([route, { parameters = [] }]) =>
        route.startsWith('GET ') &&
        (parameters as Json[])
          .map(resolved)
          .every((each) => each.in !== 'path' || each.example !== undefined) &&
        !/balance|status|by-nonce|export/.test(route),
    );
    expect(shown.length).toBeGreaterThan(15);
    for (const [route, { operationId, parameters = [] }] of shown) {
      const query = (parameters as Json[])
        .map(resolved)
        .filter(({ in: place, schema }) => place === 'query' && schema.example !== undefined)
        .map(({ name, schema }) => `${name as string}=${encodeURIComponent(String(schema.example))}`);
      const response = await service.get([pathOf(operationId as string), query.join('&')].join('?'));
      expect([route, response.status]).toEqual([route, 200]);
    }
  });

  it('of responses have the documented form', () => {
    expect(document.components.responses.Unauthorized?.content['application/json'].example).toEqual({
      success: false,
      data: null,
      error: 'Unauthorized',
      message: 'Unauthorized',
    });
  });
});

describeWithAnvil('With a chain', () => {
  describeService('Examples of the OpenAPI document', { onlySqlite: true }, ({ service }) => {
    let chain: TestChain;

    beforeAll(async () => {
      chain = await TestChain.start({ chainId: 1337, noMining: true });
      await service.app.get(DemonstrationService).ensure();
      await service.patch('/api/v1/networks/evm%3Ademo', { rpc_urls: chain.urls });
      const { address } = (await service.get('/api/v1/relayers/demo')).body.data as { address: string };
      await chain.node.setBalance(address, 10n ** 18n);
    });

    afterAll(() => chain.stop());

    it('that use the chain work as written', async () => {
      const replaced = { transaction_id: '' };
      for (const id of ON_CHAIN) {
        for (const [summary, value] of examplesOf(id)) {
          const [method = ''] = operationOf(id).route.split(' ');
          const response = await service.call({ method, path: pathOf(id, replaced), body: value });
          expect([id, summary, response.status, response.body?.error]).toEqual([
            id,
            summary,
            isAccepted(response) ? response.status : 'accepted',
            id === 'rpc' ? undefined : null,
          ]);
          const [last] = id === 'sendTransactionBatch' ? response.body.data.slice(-1) : [];
          if (last) replaced.transaction_id = last.transaction.id as string;
        }
      }
    });
  });
});
