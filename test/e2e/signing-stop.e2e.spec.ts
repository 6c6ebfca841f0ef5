import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import '../support/key-services/error-realms';
import { RelayerChangesService } from '../../src/relayers/relayer-changes.service';
import { RelayersService } from '../../src/relayers/relayers.service';
import { SignerPreparation } from '../../src/signers/opening/signer-preparation';
import { SignersService } from '../../src/signers/signers.service';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import type { HttpResponse } from '../support/http';
import { LimitedClient } from '../support/limited-keys';
import { DelayedKms } from '../support/key-services/delayed-kms';
import { until } from '../support/private-servers';
import { MAIL } from '../support/typed-data/vectors';

const ITEMS = 300;
const DELAY_MS = 200;
const RELAYER = '/api/v1/relayers/remote';
const DOMAIN = 'ab'.repeat(32);

interface Item {
  success: boolean;
  error?: string;
}

/** Ways to stop a relayer or a client, and the error for signatures that come too late. */
const STOPS: [string, (service: TestApplication, keyId: string) => Promise<HttpResponse>, string][] = [
  ['a pause', (service) => service.patch(RELAYER, { paused: true }), 'Relayer paused'],
  [
    'a change of policies',
    (service) => service.patch(RELAYER, { policies: { messages: { allow: 'none' } } }),
    'policies.messages is set, and policies.typed_data.allow_blind_hashes is not true',
  ],
  [
    'a deletion',
    (service) => service.call({ method: 'DELETE', path: RELAYER }),
    'Relayer with ID remote not found',
  ],
  [
    'a freeze',
    (service) => service.post('/api/v1/signing/freeze', { reason: 'INC-142' }),
    'nothing is signed until POST /api/v1/signing/unfreeze; the reason given is: INC-142',
  ],
  [
    'a revocation of the API key',
    (service, keyId) => service.call({ method: 'DELETE', path: `/api/v1/api-keys/${keyId}` }),
    'the API key is no longer valid',
  ],
  [
    'the loss of its scope',
    (service, keyId) => service.patch(`/api/v1/api-keys/${keyId}`, { scopes: ['sign:messages'] }),
    'this API key lacks the scope sign:typed-data',
  ],
  [
    'the loss of its reach',
    (service, keyId) => service.patch(`/api/v1/api-keys/${keyId}`, { relayers: ['local'] }),
    'Relayer with ID remote not found',
  ],
];

describeOnDatabases('Stopping signatures in progress', (createDatabase) => {
  let kms: DelayedKms;
  let database: TestDatabase;
  let first: TestApplication;
  let second: TestApplication;

  beforeAll(async () => {
    kms = await DelayedKms.create();
    database = await createDatabase();
    const settings = {
      API_KEY: randomBytes(32).toString('hex'),
      STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
    first = await TestApplication.start(database, settings, { root: DelayedKms.root });
    second = await TestApplication.start(database, settings, { root: DelayedKms.root });
    const signers = first.app.get(SignersService);
    const prepared = await first.app.get(SignerPreparation).prove(DelayedKms.kind, kms.material);
    await signers.create('remote', prepared);
    await addRelayer(first, { id: 'local', network: 'mainnet' });
  });

  beforeEach(async () => {
    await first.post('/api/v1/signing/unfreeze', {});
    const relayers = first.app.get(RelayersService);
    if (await relayers.find('remote')) await first.app.get(RelayerChangesService).delete('remote');
    const address = await addressOfKms();
    await addRelayer(first, { id: 'remote', network: 'mainnet', signerId: 'remote', address });
    kms.misbehave({ delayMs: DELAY_MS });
    kms.signedAt.clear();
  });

  afterAll(async () => {
    await first.close();
    await second.close();
    await database.drop();
    await kms.stop();
  });

  const addressOfKms = async (): Promise<string> => {
    const signer = await first.app.get(SignersService).getOrThrow('remote');
    return signer.address ?? '';
  };
  const keyServiceIsCalled = (): Promise<void> =>
    until('a call to the key service', () => Promise.resolve(kms.requests.length > 0));
  const structHash = (index: number): string => index.toString(16).padStart(64, '0');
  const items = Array.from({ length: ITEMS }, (_, i) => ({
    domain_separator: DOMAIN,
    hash_struct_message: structHash(i),
  }));
  it.each(STOPS)(
    'returns no signature of a batch of 300 after %s was acknowledged by the other instance',
    async (_what, stop, error) => {
      const client = await LimitedClient.create(first, { scopes: ['sign:typed-data'] });
      const path = `${RELAYER}/sign-typed-data/batch`;
      const batch = client.call({ method: 'POST', path, body: { items } });
      await until('signatures', () => Promise.resolve(kms.signedAt.size >= 20));
      // Stops in the middle of eight calls, which return after the acknowledgement.
      await sleep(DELAY_MS / 2);
      const stopped = await stop(second, client.id);
      const acknowledgedAt = performance.now();
      expect(stopped.status).toBe(200);

      const { status, body } = await batch;
      expect(status).toBe(200);
      const results = body.data as Item[];
      // Including those that were created before.
      expect(results.filter(({ success }) => success)).toEqual([]);
      expect(new Set(results.map(({ error: text }) => text))).toEqual(new Set([error]));
      // Only the calls that were in progress. No further calls are sent.
      const late = [...kms.signedAt.values()].filter((at) => at > acknowledgedAt);
      expect(late.length).toBeLessThanOrEqual(8);
      await sleep(2 * DELAY_MS);
      expect(kms.signedAt.size).toBeLessThan(60);
    },
  );

  it.each<[string, string, object, string, object]>([
    ['typed data by hashes', 'sign-typed-data', items[0]!, 'typed_data_hashes', { typed_data: {} }],
    ['typed data in full', 'sign-typed-data', MAIL, 'typed_data', { typed_data: { allowed: [] } }],
    ['a message', 'sign', { message: 'Some data' }, 'message', { messages: { allow: 'none' } }],
    [
      'a transaction',
      'sign-transaction',
      {
        transaction: {
          ...{ type: 2, chain_id: 1, nonce: 0, gas_limit: 21_000, value: 1, data: '0x' },
          ...{ to: `0x${'35'.repeat(20)}`, max_fee_per_gas: 2, max_priority_fee_per_gas: 1 },
        },
      },
      'transaction',
      { transactions: { max_value: 0 } },
    ],
  ])(
    'withholds %s that a key service signs while the relayer is changed',
    async (_what, route, body, form, policies) => {
      expect((await first.post(`${RELAYER}/${route}`, body)).status).toBe(200);
      kms.signedAt.clear();
      const release = kms.hold();
      const pending = first.post(`${RELAYER}/${route}`, body);
      await keyServiceIsCalled();
      expect((await second.patch(RELAYER, { policies })).status).toBe(200);
      release();
      expect((await pending).status).toBe(403);
      expect(kms.signedAt.size).toBe(1);
      // Nest has one logger for both instances.
      const logs = [...first.logs, ...second.logs].filter((line) => line.includes('withheld'));
      expect(logs.at(-1)).toContain(`"form":"${form}"`);
      expect((await first.get('/metrics/signatures_withheld_total')).text).toMatch(
        /signatures_withheld_total\{reason="\w+_not_allowed"\} [1-9]/,
      );
    },
  );

  it('returns no signature of a relayer that was deleted and recreated with another account in the meantime', async () => {
    const release = kms.hold();
    const pending = first.post(`${RELAYER}/sign-typed-data`, items[0]);
    await keyServiceIsCalled();
    await second.call({ method: 'DELETE', path: RELAYER });
    await addRelayer(second, { id: 'remote', network: 'mainnet' });
    release();
    const { status, body } = await pending;
    expect([status, body.message]).toEqual([404, 'Relayer with ID remote not found']);
  });

  it('does not affect a batch if the change of its relayer is irrelevant to it', async () => {
    const batch = first.post(`${RELAYER}/sign-typed-data/batch`, { items: items.slice(0, 40) });
    await until('signatures', () => Promise.resolve(kms.signedAt.size >= 8));
    expect((await second.patch(RELAYER, { name: 'Renamed', policies: { min_balance: 5 } })).status).toBe(200);
    const results = (await batch).body.data as Item[];
    expect(results.every(({ success }) => success)).toBe(true);
  });

  it('also applies to batches signed with keys in memory', async () => {
    const list = {
      domain: { name: 'Lists' },
      types: { A: [{ name: 'a', type: 'uint8[]' }] },
      primaryType: 'A',
    };
    const full = { ...list, message: { a: Array(200).fill(1) } };
    const signed = async (): Promise<number> => {
      const { text } = await first.get('/metrics/signatures_total');
      return Number(/kind="local",outcome="success"} (\d+)/.exec(text)?.[1] ?? 0);
    };
    const before = await signed();
    const batch = first.post('/api/v1/relayers/local/sign-typed-data/batch', {
      items: Array.from({ length: 400 }, () => full),
    });
    await until('signatures', async () => (await signed()) > before);
    expect((await second.post('/api/v1/signing/freeze', { reason: 'INC-142' })).status).toBe(200);
    const results = (await batch).body.data as Item[];
    expect(results.at(-1)).toEqual({ success: false, error: expect.stringContaining('INC-142') as string });
  });
});
