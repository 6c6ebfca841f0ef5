import { setTimeout as sleep } from 'node:timers/promises';
import { SecretCipher } from '../../src/secrets/secret-cipher';
import { SignerSweep } from '../../src/signers/opening/signer-sweep';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { apiKey, storageKey } from '../support/keys';

const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };
const SETTINGS = { API_KEY: apiKey('open-signers'), STORAGE_ENCRYPTION_KEY: storageKey(1) };

describeOnDatabases('Signers', (createDatabase) => {
  let database: TestDatabase;
  let one: TestApplication;
  let other: TestApplication;

  beforeEach(async () => {
    database = await createDatabase();
    one = await TestApplication.start(database, SETTINGS);
    other = await TestApplication.start(database, { ...SETTINGS, SIGNER_IDLE_CLOSE_SECONDS: '1' });
  });

  afterEach(async () => {
    await one.close();
    await other.close();
    await database.drop();
  });

  const sign = async (service: TestApplication): Promise<number> =>
    (await service.post('/api/v1/relayers/r/sign-typed-data', HASHES)).status;

  const openSigners = async (service: TestApplication): Promise<number> => {
    const { text } = await service.get('/metrics/signers_open');
    return Number(/^signers_open\{kind="local"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };

  const sweep = async (service: TestApplication): Promise<void> => {
    await service.app.get(SignerSweep).run();
    await sleep(10);
  };

  it('are closed on an instance that does not use them once another instance has deleted them', async () => {
    const { id, signerId } = await addRelayer(one, { id: 'r' });
    expect([await sign(one), await sign(other)]).toEqual([200, 200]);
    await sweep(other);
    expect([await openSigners(one), await openSigners(other)]).toEqual([1, 1]);
    expect((await one.call({ method: 'DELETE', path: `/api/v1/relayers/${id}` })).status).toBe(200);
    expect((await one.call({ method: 'DELETE', path: `/api/v1/signers/${signerId}` })).status).toBe(200);
    await sleep(10);
    expect([await openSigners(one), await openSigners(other)]).toEqual([0, 1]);
    await sweep(other);
    expect(await openSigners(other)).toBe(0);
  });

  it('that cannot be opened are counted and logged', async () => {
    const { signerId } = await addRelayer(one, { id: 'r' });
    jest.spyOn(other.app.get(SecretCipher), 'open').mockImplementation(() => {
      throw new Error('The record cannot be decrypted');
    });
    expect(await sign(other)).toBe(500);
    const { text } = await other.get('/metrics/signatures_total');
    expect(text).toContain('signatures_total{kind="local",outcome="failure"} 1');
    const lines = other.logs.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find(({ message }) => message === 'A signer cannot be opened')).toMatchObject({
      level: 'warn',
      signer_id: signerId,
      kind: 'local',
      outcome: 'failure',
    });
  });

  it('are closed once their id has another key', async () => {
    const { id, signerId } = await addRelayer(one, { id: 'r' });
    expect(await sign(other)).toBe(200);
    for (const path of [`relayers/${id}`, `signers/${signerId}`])
      expect((await one.call({ method: 'DELETE', path: `/api/v1/${path}` })).status).toBe(200);
    await addRelayer(one, { id: 'r', signerId });
    await sweep(other);
    expect(await openSigners(other)).toBe(0);
    expect(await sign(other)).toBe(200);
  });

  it('are closed when they are idle, and reopened to sign', async () => {
    await addRelayer(one, { id: 'r' });
    expect([await sign(one), await sign(other)]).toEqual([200, 200]);
    await sleep(1100);
    await Promise.all([sweep(one), sweep(other)]);
    expect([await openSigners(one), await openSigners(other)]).toEqual([1, 0]);
    expect(await sign(other)).toBe(200);
    expect(await openSigners(other)).toBe(1);
  });

  it('complete the signatures in progress before they close', async () => {
    await addRelayer(one, { id: 'r' });
    expect(await sign(other)).toBe(200);
    const closing = Array.from({ length: 20 }, async () => {
      await sleep(1050);
      await other.app.get(SignerSweep).run();
    });
    const statuses: number[] = [];
    const until = Date.now() + 1500;
    while (Date.now() < until) {
      statuses.push(...(await Promise.all(Array.from({ length: 10 }, () => sign(other)))));
      await sleep(Math.random() * 60);
    }
    await Promise.all(closing);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('destroy the secret that was decrypted to open them', async () => {
    await addRelayer(one, { id: 'r' });
    const opened = jest.spyOn(SecretCipher.prototype, 'open');
    expect(await sign(other)).toBe(200);
    const secrets = opened.mock.results.map(({ value }) => value as ReturnType<SecretCipher['open']>);
    opened.mockRestore();
    expect(secrets).toHaveLength(1);
    expect(() => secrets[0]!.reveal()).toThrow('The secret was destroyed');
  });
});
