import { ALL_SCOPES, type Scope, SCOPES } from '../../src/access/scopes';
import { describeService } from '../support/describe-service';
import type { Call } from '../support/http';
import { LimitedClient } from '../support/limited-keys';
import { ROUTE_SCOPES } from '../support/route-scopes';

/** Whether one of its two scopes is enough depends on the body. */
const PATCH_RELAYER = 'PATCH /api/v1/relayers/:relayer_id';

/** A request to a route for something that does not exist. It changes nothing, even if it is allowed. */
function requestTo(route: string): Call {
  const [method = '', template = ''] = route.split(' ');
  const path = template.replaceAll(/:[a-z_]+/g, 'nobody');
  if (method === 'GET' || method === 'DELETE') return { method, path };
  return { method, path, body: route === PATCH_RELAYER ? { paused: true } : {} };
}

describeService('Scopes', ({ service }) => {
  const clients = new Map<Scope, LimitedClient>();

  beforeAll(async () => {
    for (const scope of SCOPES) clients.set(scope, await LimitedClient.create(service, { scopes: [scope] }));
  });

  describe.each(Object.entries(ROUTE_SCOPES))('%s', (route, required) => {
    it(`is open to keys with ${required.join(' or ')}, and to no others`, async () => {
      const opened: Scope[] = [];
      for (const [scope, client] of clients) {
        const { status, body } = await client.call(requestTo(route));
        // The JSON-RPC responses have no envelope.
        const isRefused = status === 403 && body.message === 'Forbidden';
        if (isRefused) expect(body.error).toBe(`this API key lacks the scope ${required.join(' or ')}`);
        else {
          expect([200, 201, 400, 404]).toContain(status);
          opened.push(scope);
        }
      }
      expect(opened.sort()).toEqual([...required].sort());
    });

    it('is open to a key with all scopes, and to the root key', async () => {
      const all = await LimitedClient.create(service, { scopes: [ALL_SCOPES] });
      for (const client of [all, service])
        expect([200, 201, 400, 404]).toContain((await client.call(requestTo(route))).status);
    });
  });
});
