import { bearer, createApiKey } from '../support/api-keys';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { apiKey } from '../support/keys';
import { until } from '../support/private-servers';
import { RawClient, type RawResponse } from '../support/raw-client';

const MEBIBYTE = 1024 * 1024;
const SIGN = '/api/v1/relayers/cow/sign-typed-data';
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) };
const BODY = JSON.stringify(HASHES);
const ROOT = apiKey('shares');

const OPTIONS = {
  settings: { API_KEY: ROOT, HTTP_MAX_CONNECTIONS: '20' },
  http: { maxBodyBytes: 4 * MEBIBYTE },
  startFor: 'test' as const,
  onlySqlite: true,
};

describeService('Shares of request bodies', OPTIONS, ({ service }) => {
  let key: string;
  let otherKey: string;
  let clients: RawClient[];

  beforeEach(async () => {
    clients = [];
    await addRelayer(service, { id: 'cow' });
    const grant = { scopes: ['sign:typed-data'], relayers: ['cow'] };
    key = (await createApiKey(service, grant)).key;
    otherKey = (await createApiKey(service, grant)).key;
  });

  afterEach(() => {
    for (const client of clients) client.destroy();
  });

  /** Sends the beginning of a body on a new connection. */
  const begin = async (token: string, headers: Record<string, string>, part: string): Promise<RawClient> => {
    const client = await RawClient.open(service.url);
    clients.push(client);
    client.request(
      `POST ${SIGN}`,
      { ...bearer(token), 'Content-Type': 'application/json', ...headers },
      part,
    );
    return client;
  };

  const beginChunked = (token: string, bytes: number): Promise<RawClient> =>
    begin(token, { 'Transfer-Encoding': 'chunked' }, `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`);

  const beginShort = (token: string): Promise<RawClient> =>
    begin(token, { 'Content-Length': String(BODY.length) }, BODY.slice(0, 10));

  const signOnNewConnection = async (token: string): Promise<number> => {
    const client = await begin(token, { 'Content-Length': String(BODY.length) }, BODY);
    return (await client.response()).status;
  };

  const responses = (): RawResponse[] => clients.flatMap((client) => client.responses);

  const refusal = (detail: string) => ({
    success: false,
    data: null,
    error: detail,
    message: 'Service Unavailable',
  });

  const heldBytes = async (): Promise<number> =>
    Number(/^http_request_bodies_bytes (\d+)$/m.exec((await service.get('/debug/metrics/scrape')).text)?.[1]);

  it('leave room for other keys if one key never ends its bodies', async () => {
    for (let i = 0; i < 4; i += 1) await beginChunked(key, MEBIBYTE);
    await until('a refusal', () => responses().length > 0);
    const [refused] = responses();
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(JSON.parse(refused!.body)).toEqual(
      refusal('too many request bodies of this API key are being processed; see Retry-After'),
    );
    await until('the others', async () => (await heldBytes()) >= 3 * MEBIBYTE);
    expect(await signOnNewConnection(ROOT)).toBe(200);
    expect(await signOnNewConnection(otherKey)).toBe(200);
  });

  it('let the root key use everything', async () => {
    for (let i = 0; i < 5; i += 1) await beginChunked(ROOT, MEBIBYTE - 1);
    await until('a refusal', () => responses().length > 0);
    expect(JSON.parse(responses()[0]!.body)).toEqual(
      refusal('too many request bodies are being processed; see Retry-After'),
    );
    await until('the others', async () => (await heldBytes()) > 4 * MEBIBYTE - 5);
  });

  it('leave connections for other keys if one key never ends its bodies', async () => {
    for (let i = 0; i < 10; i += 1) await beginShort(key);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(responses()).toEqual([]);
    for (let i = 0; i < 10; i += 1) {
      const refused = await (await beginShort(key)).response();
      expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    }
    expect(await signOnNewConnection(ROOT)).toBe(200);
    expect(await signOnNewConnection(otherKey)).toBe(200);
    expect(await beginShort(otherKey).then(finish)).toBe(200);
  });

  it('are free again once the bodies have arrived or their clients are gone', async () => {
    for (let i = 0; i < 10; i += 1) await beginShort(key);
    await until('the share to be used up', async () => (await beginShort(key)).response().then(isRefused));
    const [first, second, third] = clients as [RawClient, RawClient, RawClient];
    for (const client of [first, second, third]) expect(await finish(client)).toBe(200);
    for (const client of clients) client.destroy();
    await until('room', async () => (await signOnNewConnection(key)) === 200);
    await until('room', async () => (await beginShort(key).then(finish)) === 200);
  });

  const isRefused = ({ status }: RawResponse): boolean => status === 429;

  const finish = async (client: RawClient): Promise<number> => {
    client.write(BODY.slice(10));
    return (await client.response()).status;
  };
});
