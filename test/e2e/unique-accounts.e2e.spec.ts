import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { NetworkEntity } from '../../src/networks/network.entity';
import { RelayerEntity } from '../../src/relayers/relayer.entity';
import { TestApplication } from '../support/application';
import { addRelayer, COW_ADDRESS, COW_KEY } from '../support/builders';
import { describeService } from '../support/describe-service';
import { storageKey } from '../support/keys';
import { sealRows } from '../support/row-macs';

const SEPOLIA = 11_155_111;
const STORAGE_ENCRYPTION_KEY = storageKey(1);

const inUse = (owner: string, chainId = SEPOLIA): string =>
  `Relayer '${owner}' already has account ${COW_ADDRESS} on chain id ${chainId}: an account has one relayer, whichever network or signer leads to it`;

describeService('The limit of one relayer per account', { startFor: 'none' }, ({ service, database }) => {
  const open = async (settings: Record<string, string> = {}): Promise<void> => {
    await service.start(database, { STORAGE_ENCRYPTION_KEY, ...settings });
    service.keepSecret(COW_KEY);
  };

  beforeEach(async () => {
    await open();
    for (const id of ['cow', 'copy'])
      await service.post('/api/v1/signers', { id, type: 'plain', config: { key: COW_KEY } });
    await addNetwork('twin', SEPOLIA);
  });

  const addNetwork = (name: string, chain_id: number) =>
    service.post('/api/v1/networks', { name, network_type: 'evm', chain_id });
  const create = (changes: object = {}) =>
    service.post('/api/v1/relayers', {
      name: 'Cow',
      network: 'sepolia',
      network_type: 'evm',
      paused: false,
      signer_id: 'cow',
      ...changes,
    });
  const remove = (id: string) => service.call({ method: 'DELETE', path: `/api/v1/relayers/${id}` });
  const query = <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    service.app.get(DataSource).query<T[]>(text, values);
  const chainIds = () => query('SELECT id, chain_id FROM relayers ORDER BY id');

  it.each([
    ['a second network with the same chain id', { network: 'twin' }],
    ['a second signer with the same key', { signer_id: 'copy' }],
    ['both', { network: 'twin', signer_id: 'copy' }],
  ])('refuses %s', async (_what, changes) => {
    await create({ id: 'one' });
    const response = await create({ id: 'two', ...changes });
    expect(response.status).toBe(409);
    expect(response.body).toEqual({
      success: false,
      data: null,
      message: 'Account is in use',
      error: inUse('one'),
    });
    expect((await service.get('/api/v1/relayers')).body.pagination.total_items).toBe(1);
    expect(await chainIds()).toEqual([{ id: 'one', chain_id: String(SEPOLIA) }]);
  });

  it('is reported only if neither the id nor the signer on the network is in use', async () => {
    await create({ id: 'signer-one' });
    expect((await create({ id: 'signer-one' })).body.message).toBe('Relayer with this ID already exists');
    expect((await create({ id: 'two' })).body.message).toBe('Signer is in use');
    expect((await create({ id: 'two', signer_id: 'copy' })).body.message).toBe('Account is in use');
  });

  it('allows another chain, another network type, and the account again once its relayer is deleted', async () => {
    await create({ id: 'one' });
    expect((await create({ id: 'mainnet', network: 'mainnet' })).status).toBe(201);
    expect((await create({ id: 'solana', network: 'devnet', network_type: 'solana' })).status).toBe(201);
    expect(
      (await create({ id: 'again', network: 'devnet', network_type: 'solana', signer_id: 'copy' })).status,
    ).toBe(201);
    expect(await chainIds()).toEqual([
      { id: 'again', chain_id: null },
      { id: 'mainnet', chain_id: '1' },
      { id: 'one', chain_id: String(SEPOLIA) },
      { id: 'solana', chain_id: null },
    ]);
    await remove('one');
    expect((await create({ id: 'two', network: 'twin', signer_id: 'copy' })).status).toBe(201);
  });

  it('lets exactly one of 50 concurrent requests use an account', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        create({
          id: `racer-${i}`,
          network: i % 2 === 0 ? 'sepolia' : 'twin',
          signer_id: i % 3 === 0 ? 'copy' : 'cow',
        }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(49).fill(409)]);
    expect((await service.get('/api/v1/relayers')).body.pagination.total_items).toBe(1);
    const refusals = new Set(responses.map(({ body }) => body.message).filter(Boolean));
    expect([...refusals].sort()).toEqual(['Account is in use', 'Signer is in use']);
  });

  it('holds while relayers are created and deleted concurrently', async () => {
    const rounds = Array.from({ length: 60 }, async (_, i) => {
      const id = `racer-${i}`;
      const { status } = await create({ id, network: i % 2 === 0 ? 'sepolia' : 'twin', signer_id: 'copy' });
      expect([201, 409]).toContain(status);
      if (status === 201) expect((await remove(id)).status).toBe(200);
    });
    await Promise.all(rounds);
    expect((await create({ id: 'last' })).status).toBe(201);
  });

  it('refuses a relayer on an EVM network without a chain id', async () => {
    await query('UPDATE networks SET chain_id = NULL WHERE id = ?', ['evm:twin']);
    await sealRows(service, NetworkEntity);
    const response = await create({ network: 'twin' });
    expect(response.status).toBe(400);
    expect(response.body.error).toBe('Network twin has no chain id');
  });

  describe('when a network gets its chain id at the start', () => {
    let folder: string;

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'relayer-accounts-'));
      await create({ id: 'one' });
      await addNetwork('bare', 77);
      await addRelayer(service, { id: 'two', network: 'bare', privateKey: COW_KEY });
      // As after the migration from a version without networks.
      await query("UPDATE relayers SET chain_id = NULL WHERE id = 'two'");
      await query("UPDATE networks SET chain_id = NULL WHERE id = 'evm:bare'");
      await sealRows(service, RelayerEntity);
      await sealRows(service, NetworkEntity);
    });

    afterEach(() => {
      rmSync(folder, { recursive: true });
    });

    const configure = (chain_id: number): Record<string, string> => {
      const CONFIG_FILE = join(folder, 'config.json');
      const networks = [{ network: 'bare', type: 'evm', chain_id }];
      writeFileSync(CONFIG_FILE, JSON.stringify({ networks }));
      return { CONFIG_FILE };
    };

    it('extends to its relayers, which get the chain id too', async () => {
      await service.close();
      await open(configure(78));
      expect(await chainIds()).toEqual([
        { id: 'one', chain_id: String(SEPOLIA) },
        { id: 'two', chain_id: '78' },
      ]);
      await addNetwork('same', 78);
      expect((await create({ network: 'same' })).body.error).toBe(inUse('two', 78));
    });

    it('prevents the start if an account would get a second relayer, and changes nothing', async () => {
      await service.close();
      await expect(
        TestApplication.start(database, { STORAGE_ENCRYPTION_KEY, ...configure(SEPOLIA) }),
      ).rejects.toMatchObject({
        faults: [
          `Relayers 'one' and 'two' have the same account: ${COW_ADDRESS} on chain id ${SEPOLIA}`,
          expect.stringContaining('delete one of the two'),
        ],
      });
      await open();
      expect(await query("SELECT chain_id FROM networks WHERE id = 'evm:bare'")).toEqual([
        { chain_id: null },
      ]);
      expect(await remove('two')).toMatchObject({ status: 200 });
      await service.close();
      await open(configure(SEPOLIA));
      expect(await query("SELECT chain_id FROM networks WHERE id = 'evm:bare'")).toEqual([
        { chain_id: String(SEPOLIA) },
      ]);
    });
  });

  describe('in a configuration file', () => {
    let folder: string;

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'relayer-accounts-'));
    });

    afterEach(() => {
      rmSync(folder, { recursive: true });
    });

    const configure = (relayers: object[]): Record<string, string> => {
      const CONFIG_FILE = join(folder, 'config.json');
      const whole = { name: 'R', network: 'sepolia', network_type: 'evm', paused: false, signer_id: 'cow' };
      writeFileSync(CONFIG_FILE, JSON.stringify({ relayers: relayers.map((one) => ({ ...whole, ...one })) }));
      return { STORAGE_ENCRYPTION_KEY, CONFIG_FILE };
    };

    it.each([
      ['a stored relayer', [{ id: 'two', network: 'twin' }], 0],
      [
        'a relayer in the file',
        [
          { id: 'a', network: 'mainnet' },
          { id: 'two', network: 'mainnet', signer_id: 'copy' },
        ],
        1,
      ],
    ])('prevents the start with an error that names %s', async (_what, relayers, at) => {
      await create({ id: 'one' });
      await service.close();
      await expect(TestApplication.start(database, configure(relayers))).rejects.toMatchObject({
        faults: [`CONFIG_FILE relayers[${at}]: ${at === 0 ? inUse('one') : inUse('a', 1)}`],
      });
      await open();
      expect(await chainIds()).toEqual([{ id: 'one', chain_id: String(SEPOLIA) }]);
    });
  });
});
