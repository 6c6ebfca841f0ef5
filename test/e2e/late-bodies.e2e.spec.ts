import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, createApiKey, rotateApiKey, unrecorded } from '../support/api-keys';
import type { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { RawClient, type RawResponse } from '../support/raw-client';
import { RequestSigner } from '../support/signed-requests';

const PATH = '/api/v1/relayers/local/sign-typed-data';
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };
const BODY = JSON.stringify(HASHES);
const ORIGIN = 'https://relayer.example.com';
/** Longer than the maximum age of the rights of a request. */
const LATE_MS = 100;

/** What ends the right to sign while the body of a request arrives, and the response to that request. */
const ENDS: [string, (service: TestApplication, id: string) => Promise<unknown>, number, string][] = [
  [
    'its key was revoked',
    (service, id) => service.call({ method: 'DELETE', path: `/api/v1/api-keys/${id}` }),
    401,
    'Unauthorized',
  ],
  [
    'its secret was replaced',
    (service, id) => rotateApiKey(service, id, { overlap_seconds: 0 }),
    401,
    'Unauthorized',
  ],
  [
    'its addresses were restricted',
    (service, id) => service.patch(`/api/v1/api-keys/${id}`, { allowed_ips: ['192.0.2.1'] }),
    401,
    'Unauthorized',
  ],
  [
    'its key lost the scope',
    (service, id) => service.patch(`/api/v1/api-keys/${id}`, { scopes: ['relayers:read'] }),
    403,
    'Forbidden',
  ],
  [
    'its key lost the relayer',
    (service, id) => service.patch(`/api/v1/api-keys/${id}`, { relayers: ['other'] }),
    404,
    'Relayer with ID local not found',
  ],
];

describeService('A request whose body arrives late', { settings: { PUBLIC_URL: ORIGIN } }, ({ service }) => {
  beforeAll(async () => {
    await addRelayer(service, { id: 'local', network: 'mainnet' });
  });

  /** Sends a request without the end of its body, runs `meanwhile`, and sends the rest. */
  const around = async (
    headers: Record<string, string>,
    meanwhile: () => Promise<unknown>,
  ): Promise<RawResponse> => {
    const client = await RawClient.open(service.url);
    const length = { 'Content-Type': 'application/json', 'Content-Length': String(BODY.length) };
    client.request(`POST ${PATH}`, { ...headers, ...length });
    client.write(BODY.slice(0, 10));
    await sleep(LATE_MS);
    await meanwhile();
    client.write(BODY.slice(10));
    const response = await client.response();
    client.destroy();
    return response;
  };

  it.each(ENDS)('is refused once %s', async (_what, end, status, message) => {
    const { id, key } = await createApiKey(service, { scopes: ['sign:typed-data'] });
    const response = await around(bearer(key), () => end(service, id));
    expect(response.status).toBe(status);
    expect(JSON.parse(response.body)).toMatchObject({ success: false, message });
  });

  it('is refused once the key that signed it was revoked', async () => {
    const signer = new RequestSigner();
    const fields = { name: 'Signing', scopes: ['sign:typed-data'], public_key: signer.pem };
    const created = await unrecorded(service, 'POST', '/api/v1/api-keys', fields);
    const id = created.body.data.id as string;
    const signed = async (): Promise<Record<string, string>> => {
      const call = await signer.sign(ORIGIN, id, { method: 'POST', path: PATH, body: HASHES });
      const headers = Object.entries(call.headers ?? {}).filter(([, value]) => value !== undefined);
      return Object.fromEntries(headers) as Record<string, string>;
    };
    expect((await around(await signed(), () => Promise.resolve())).status).toBe(200);
    const revoke = () => service.call({ method: 'DELETE', path: `/api/v1/api-keys/${id}` });
    expect((await around(await signed(), revoke)).status).toBe(401);
    const failures = await service.get(`/api/v1/audit-events?action=authentication.fail&key_id=${id}`);
    expect(failures.body.data).toMatchObject([{ code: 'revoked' }]);
  });

  it('is served if nothing has changed', async () => {
    const { key } = await createApiKey(service, { scopes: ['sign:typed-data'] });
    expect((await around(bearer(key), () => Promise.resolve())).status).toBe(200);
  });
});
