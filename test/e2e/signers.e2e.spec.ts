import { encryptKeystoreJson } from 'ethers';
import { DataSource } from 'typeorm';
import { SignerEntity } from '../../src/signers/signer.entity';
import { addRelayer, COW_ADDRESS, COW_KEY, emptyTables } from '../support/builders';
import { sealRows } from '../support/row-macs';
import { describeService } from '../support/describe-service';

const PASSPHRASE = 'correct horse battery staple';
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const KEY_RULE = 'config.key must be 64 hex digits without 0x';
const RANGE_RULE = 'config.key must be greater than zero and below the order of secp256k1';
const VERSION_RULE = 'the keystore is not an encrypted JSON keystore of version 3';
const LOCAL_RULE =
  'type local reads a file of the server and is for configuration files only: over HTTP send type keystore, with the content of an encrypted JSON keystore, or plain, with the key';
const WORK_RULE =
  'the keystore asks for more work than is allowed (scrypt up to 256 MiB, PBKDF2 up to 1000000 rounds)';

describeService('/api/v1/signers', ({ service }) => {
  let keystore: { Crypto: { kdfparams: object } };

  beforeAll(async () => {
    const json = await encryptKeystoreJson({ address: COW_ADDRESS, privateKey: `0x${COW_KEY}` }, PASSPHRASE, {
      scrypt: { N: 1024, r: 8, p: 1 },
    });
    keystore = JSON.parse(json) as typeof keystore;
    for (const secret of [COW_KEY, PASSPHRASE]) service.keepSecret(secret);
  });

  afterEach(() => emptyTables(service));

  const make = (body: unknown) => service.post('/api/v1/signers', body);
  const plain = (id: string, key = COW_KEY) => make({ id, type: 'plain', config: { key } });

  it('creates a plain signer, and returns it as local, with address and public key', async () => {
    const response = await plain('cow');
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      success: true,
      data: {
        id: 'cow',
        type: 'local',
        config: {},
        address: COW_ADDRESS,
        public_key: expect.stringMatching(/^0x04[0-9a-f]{128}$/),
      },
      error: null,
    });
    expect((await service.get('/api/v1/signers/cow')).body.data).toEqual(response.body.data);
    const list = await service.get('/api/v1/signers');
    expect(list.body.data).toEqual([response.body.data]);
    expect(list.body.pagination).toEqual({ current_page: 1, per_page: 10, total_items: 1 });
    const rows = await service.app.get(DataSource).query<{ secret: string }[]>('SELECT secret FROM signers');
    expect(rows[0]?.secret).toMatch(/^v2\.[0-9a-f]{12}\./);
  });

  it.each(['as an object', 'as its text'])('creates a signer from a keystore %s', async (form) => {
    const config = {
      keystore: form === 'as an object' ? keystore : JSON.stringify(keystore),
      passphrase: PASSPHRASE,
    };
    const response = await make({ type: 'keystore', config });
    expect(response.status).toBe(201);
    expect(response.body.data).toMatchObject({ type: 'local', config: {}, address: COW_ADDRESS });
  });

  it('responds to other requests while it decrypts a keystore', async () => {
    const heavy = await encryptKeystoreJson(
      { address: COW_ADDRESS, privateKey: `0x${COW_KEY}` },
      PASSPHRASE,
      {
        scrypt: { N: 32_768, r: 8, p: 1 },
      },
    );
    const state = { done: false };
    const decrypting = make({ type: 'keystore', config: { keystore: heavy, passphrase: PASSPHRASE } }).then(
      (response) => {
        state.done = true;
        return response;
      },
    );
    let served = 0;
    while (!state.done) {
      await service.get('/v1/health');
      served += 1;
    }
    expect((await decrypting).status).toBe(201);
    expect(served).toBeGreaterThan(5);
  });

  it('returns the address of a signer that was stored without it', async () => {
    await plain('old');
    await service.app.get(DataSource).query('UPDATE signers SET address = NULL, public_key = NULL');
    await sealRows(service, SignerEntity);
    expect((await service.get('/api/v1/signers/old')).body.data.address).toBe(COW_ADDRESS);
  });

  it('responds with 409 for an id that is taken', async () => {
    await plain('cow');
    const response = await plain('cow');
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ message: 'Signer with this ID already exists', data: null });
  });

  it('refuses to update a signer', async () => {
    await plain('cow');
    const response = await service.patch('/api/v1/signers/cow', {});
    expect(response.status).toBe(400);
    expect(response.body.error).toBe(
      'Signer updates are not allowed for security reasons. Please delete the existing signer and create a new one with the desired configuration.',
    );
    const unknown = await service.patch('/api/v1/signers/cow', { config: {} });
    expect(unknown.body.error).toBe('config is not a known field');
    expect((await service.patch('/api/v1/signers/nobody', {})).status).toBe(404);
  });

  it('deletes a signer unless a relayer uses it', async () => {
    await plain('cow');
    await addRelayer(service, { name: 'Herd', signerId: 'cow', id: 'herd' });
    const refused = await service.call({ method: 'DELETE', path: '/api/v1/signers/cow' });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      message: 'Signer is in use',
      error: "Signer 'cow' is used by 1 relayer(s): Herd (herd)",
    });
    await service.call({ method: 'DELETE', path: '/api/v1/relayers/herd' });
    const deleted = await service.call({ method: 'DELETE', path: '/api/v1/signers/cow' });
    expect(deleted.body).toEqual({ success: true, data: 'Signer deleted successfully', error: null });
    expect((await service.get('/api/v1/signers/cow')).status).toBe(404);
    expect((await service.call({ method: 'DELETE', path: '/api/v1/signers/cow' })).body.message).toBe(
      'Signer with ID cow not found',
    );
  });

  it('signs with the new key when a signer id is reused', async () => {
    const hashes = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) };
    const relayer = { name: 'R', network: 'sepolia', network_type: 'evm', paused: false, signer_id: 'again' };
    const sign = async (key: string, id: string): Promise<string> => {
      await plain('again', key);
      await service.post('/api/v1/relayers', { ...relayer, id });
      const { body } = await service.post(`/api/v1/relayers/${id}/sign-typed-data`, hashes);
      await service.call({ method: 'DELETE', path: `/api/v1/relayers/${id}` });
      await service.call({ method: 'DELETE', path: '/api/v1/signers/again' });
      return String(body.data.r);
    };
    expect(await sign(COW_KEY, 'first')).not.toBe(await sign('11'.repeat(32), 'second'));
  });

  describe('refuses', () => {
    const crypto = (changes: object) => ({ ...keystore, Crypto: { ...keystore.Crypto, ...changes } });
    const params = (changes: object) => crypto({ kdfparams: { ...keystore.Crypto.kdfparams, ...changes } });
    const cases: [string, () => unknown, string][] = [
      ['no config', () => ({ type: 'plain' }), 'config must be an object'],
      [
        'no type',
        () => ({ config: {} }),
        'type must be a string of 1 to 32 characters without control characters',
      ],
      [
        'an unknown kind',
        () => ({ type: 'turnkey', config: {} }),
        'type must be one of aws_kms, azure_key_vault, google_cloud_kms, keystore, plain, vault',
      ],
      [
        'unknown fields',
        () => ({ type: 'plain', config: { key: COW_KEY }, name: 'x' }),
        'name is not a known field',
      ],
      [
        'unknown fields of config',
        () => ({ type: 'plain', config: { key: COW_KEY, path: 'x' } }),
        'config.path is not a known field',
      ],
      ['a key with 0x', () => ({ type: 'plain', config: { key: `0x${COW_KEY}` } }), KEY_RULE],
      ['a short key', () => ({ type: 'plain', config: { key: COW_KEY.slice(1) } }), KEY_RULE],
      ['no key', () => ({ type: 'plain', config: {} }), KEY_RULE],
      [
        'a key that is no text',
        () => ({ type: 'plain', config: { key: 5 } }),
        'config.key must be a string that is not empty',
      ],
      ['a key of zero', () => ({ type: 'plain', config: { key: '00'.repeat(32) } }), RANGE_RULE],
      ['a key of the order', () => ({ type: 'plain', config: { key: ORDER } }), RANGE_RULE],
      ['a key above the order', () => ({ type: 'plain', config: { key: 'ff'.repeat(32) } }), RANGE_RULE],
      [
        'a file of the server',
        () => ({ type: 'local', config: { path: '/etc/passwd', passphrase: 'x' } }),
        LOCAL_RULE,
      ],
      [
        'the type that keys of the service are shown with',
        () => ({ type: 'local', config: { key: COW_KEY } }),
        LOCAL_RULE,
      ],
      ['that type without more', () => ({ type: 'local', config: {} }), LOCAL_RULE],
      [
        'a variable of the server',
        () => ({ type: 'keystore', config: { keystore, passphrase: { type: 'env', value: 'API_KEY' } } }),
        'config.passphrase must be a string that is not empty',
      ],
      [
        'a wrong passphrase',
        () => ({ type: 'keystore', config: { keystore, passphrase: 'wrong' } }),
        'the passphrase does not open the keystore',
      ],
      [
        'another version',
        () => ({
          type: 'keystore',
          config: { keystore: { ...keystore, version: 1 }, passphrase: PASSPHRASE },
        }),
        VERSION_RULE,
      ],
      [
        'no keystore',
        () => ({ type: 'keystore', config: { keystore: 'text', passphrase: PASSPHRASE } }),
        VERSION_RULE,
      ],
      [
        'a truncated keystore',
        () => ({
          type: 'keystore',
          config: { keystore: JSON.stringify(keystore).slice(0, -20), passphrase: PASSPHRASE },
        }),
        VERSION_RULE,
      ],
      [
        'a keystore without its ciphertext',
        () => ({
          type: 'keystore',
          config: { keystore: crypto({ ciphertext: undefined }), passphrase: PASSPHRASE },
        }),
        'the keystore is damaged',
      ],
      [
        'a name in two spellings, of which one would be checked and the other used',
        () => ({
          type: 'keystore',
          config: { keystore: { ...keystore, CRYPTO: keystore.Crypto }, passphrase: PASSPHRASE },
        }),
        'the keystore is damaged',
      ],
      [
        'a token file of the server',
        () => ({
          type: 'azure_key_vault',
          config: {
            auth_type: 'workload_identity',
            tenant_id: '00000000-0000-0000-0000-000000000001',
            client_id: '00000000-0000-0000-0000-000000000002',
            federated_token_file: '/etc/passwd',
            vault_url: 'https://v.vault.azure.net',
            key_name: 'k',
          },
        }),
        'config.federated_token_file cannot be used here: set AZURE_FEDERATED_TOKEN_FILE for the service',
      ],
      [
        'memory without end',
        () => ({ type: 'keystore', config: { keystore: params({ n: 2 ** 30 }), passphrase: PASSPHRASE } }),
        WORK_RULE,
      ],
      [
        'time without end',
        () => ({ type: 'keystore', config: { keystore: params({ p: 1_000_000 }), passphrase: PASSPHRASE } }),
        WORK_RULE,
      ],
      [
        'rounds without end',
        () => ({
          type: 'keystore',
          config: {
            keystore: crypto({
              kdf: 'pbkdf2',
              kdfparams: { c: 1e12, dklen: 32, prf: 'hmac-sha256', salt: 'ab' },
            }),
            passphrase: PASSPHRASE,
          },
        }),
        WORK_RULE,
      ],
    ];

    it.each(cases)('%s', async (_what, body, error) => {
      const response = await make(body());
      expect(response.body).toEqual({ success: false, data: null, error, message: 'Bad Request' });
      expect(response.status).toBe(400);
      expect((await service.get('/api/v1/signers')).body.pagination.total_items).toBe(0);
    });
  });
});
