import { randomBytes } from 'node:crypto';
import { Injectable, Module } from '@nestjs/common';
import { Column, Entity, type MigrationInterface, PrimaryColumn, type QueryRunner } from 'typeorm';
import {
  createTable,
  idColumn,
  relayerIdColumn,
  RelayerPlugin,
  relayerReference,
  rotateStorageKeys,
  Secret,
  SecretCipher,
  UnitOfWork,
} from '../../src/public';
import { SignersService } from '../../src/signers/signers.service';
import { addRelayer, COW_ADDRESS } from '../support/builders';
import { TestApplication } from '../support/application';
import { describeOnEmptyDatabases, type TestDatabase } from '../support/databases';

const SECRETS = { table: 'shop_secrets', column: 'token' };

class RelayerRow {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  @Column('varchar', { name: 'relayer_id', length: 36, nullable: true })
  relayerId!: string | null;
}

@Entity('shop_orders')
class OrderEntity extends RelayerRow {}

@Entity('shop_notes')
class NoteEntity extends RelayerRow {}

@Entity('shop_secrets')
class SecretEntity extends RelayerRow {
  @Column('varchar', { length: 255 })
  token!: string;
}

class CreateShop1796000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const relayerId = { ...relayerIdColumn, isNullable: true };
    await createTable(queryRunner, {
      name: 'shop_orders',
      columns: [idColumn, relayerId],
      foreignKeys: [relayerReference('shop_orders', 'delete-rows')],
    });
    await createTable(queryRunner, {
      name: 'shop_notes',
      columns: [idColumn, relayerId],
      foreignKeys: [relayerReference('shop_notes', 'forget-relayer')],
    });
    await createTable(queryRunner, {
      name: 'shop_secrets',
      columns: [idColumn, relayerId, { name: 'token', type: 'varchar', length: '255' }],
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['shop_secrets', 'shop_notes', 'shop_orders']) await queryRunner.dropTable(table);
  }
}

class OfTheNextRelease1797000000000 implements MigrationInterface {
  up = (): Promise<void> => Promise.resolve();
  down = (): Promise<void> => Promise.resolve();
}

@Injectable()
class Shop {
  constructor(
    readonly unitOfWork: UnitOfWork,
    readonly cipher: SecretCipher,
  ) {}
}

const SHOP = {
  name: 'shop',
  compatibility: '^1',
  entities: [OrderEntity, NoteEntity, SecretEntity],
  migrations: [CreateShop1796000000000],
  sealedColumns: [SECRETS],
};

@RelayerPlugin(SHOP)
@Module({ providers: [Shop] })
class ShopModule {}

@RelayerPlugin({ ...SHOP, migrations: [CreateShop1796000000000, OfTheNextRelease1797000000000] })
@Module({ providers: [Shop] })
class NextShopModule {}

describeOnEmptyDatabases('Tables of plugins', (create) => {
  const newKey = (): string => randomBytes(32).toString('base64');
  let database: TestDatabase;
  const settings = { API_KEY: `root-${newKey()}`, STORAGE_ENCRYPTION_KEY: newKey() };

  beforeAll(async () => {
    database = await create();
  });

  afterAll(() => database.drop());

  const serve = async (
    module: typeof ShopModule,
    work: (service: TestApplication, shop: Shop) => Promise<void>,
    keys = settings,
  ): Promise<void> => {
    const service = await TestApplication.start(database, keys, { modules: [module] });
    try {
      await work(service, service.app.get(Shop, { strict: false }));
    } finally {
      await service.close();
    }
  };

  it('delete their rows with the relayer, clear its id, or retain it', async () => {
    await serve(ShopModule, async (service, { unitOfWork, cipher }) => {
      const { id: relayerId } = await addRelayer(service);
      const token = cipher.seal(new Secret('shop token'), { ...SECRETS, row: 's' });
      await unitOfWork.run(async () => {
        await unitOfWork.repository(OrderEntity).insert({ id: 'o', relayerId });
        await unitOfWork.repository(NoteEntity).insert({ id: 'n', relayerId });
        await unitOfWork.repository(SecretEntity).insert({ id: 's', relayerId, token });
      });
      const { status } = await service.call({ method: 'DELETE', path: `/api/v1/relayers/${relayerId}` });
      expect(status).toBe(200);
      expect(await unitOfWork.repository(OrderEntity).find()).toEqual([]);
      expect(await unitOfWork.repository(NoteEntity).find()).toEqual([{ id: 'n', relayerId: null }]);
      expect(await unitOfWork.repository(SecretEntity).find()).toEqual([{ id: 's', relayerId, token }]);
    });
  });

  it('are named by a rotation of the storage keys without the plugin, which is then incomplete', async () => {
    const config = { ...settings, DATABASE_URL: database.url, LOG_LEVEL: 'fatal' };
    const lines: string[] = [];
    const keep = (chunk: string | Uint8Array): boolean => lines.push(String(chunk)) > 0;
    const outputs = [process.stdout, process.stderr].map((stream) =>
      jest.spyOn(stream, 'write').mockImplementation(keep),
    );
    const isComplete = await rotateStorageKeys({ config });
    for (const output of outputs) output.mockRestore();
    expect(lines.at(-1)).toMatch(/^Secrets of plugins that are not loaded were left out \(migrations_shop\)/);
    expect(isComplete).toBe(false);
  });

  it('hold secrets that a rotation of the storage keys re-encrypts', async () => {
    const next = newKey();
    const both = { ...settings, STORAGE_ENCRYPTION_KEY: `${next},${settings.STORAGE_ENCRYPTION_KEY}` };
    const config = { ...both, DATABASE_URL: database.url, LOG_LEVEL: 'fatal' };
    const output = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const isComplete = await rotateStorageKeys({ config, modules: [ShopModule] });
    output.mockRestore();
    expect(isComplete).toBe(true);
    settings.STORAGE_ENCRYPTION_KEY = next;
    await serve(ShopModule, async (_service, { unitOfWork, cipher }) => {
      const row = await unitOfWork.repository(SecretEntity).findOneByOrFail({ id: 's' });
      expect(cipher.open(row.token, { ...SECRETS, row: 's' }).reveal()).toBe('shop token');
    });
  });

  it('are rejected by an older version of the plugin', async () => {
    await serve(NextShopModule, () => Promise.resolve());
    await expect(serve(ShopModule, () => Promise.resolve())).rejects.toThrow(
      'The database was migrated by a newer version of the plugin shop (migration OfTheNextRelease1797000000000)',
    );
    await serve(NextShopModule, () => Promise.resolve());
  });
});

describeOnEmptyDatabases('A database that was used with a plugin', (create) => {
  const settings = {
    API_KEY: `root-${randomBytes(32).toString('base64')}`,
    STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  };
  const MISSING = /plugin that has migrated|No module of this service/;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await create();
    const service = await TestApplication.start(database, settings, { modules: [ShopModule] });
    const identity = { address: COW_ADDRESS, publicKey: `0x04${'ab'.repeat(64)}` };
    const material = { settings: {}, secret: new Secret('s3cret') };
    await service.app.get(SignersService).create('theirs', { kind: 'acme_hsm', material, identity });
    await addRelayer(service, { id: 'of-theirs', signerId: 'theirs', address: COW_ADDRESS });
    await service.close();
  });

  afterAll(() => database.drop());

  const serve = async (
    modules: (typeof ShopModule)[],
    work: (service: TestApplication) => Promise<void> | void,
  ): Promise<void> => {
    const service = await TestApplication.start(database, settings, { modules });
    try {
      await work(service);
    } finally {
      await service.close();
    }
  };

  it('makes a start without the plugin warn of its rules and signers', async () => {
    await serve([], ({ logs }) => {
      const warnings = logs.filter((line) => MISSING.test(line)).map((line) => JSON.parse(line) as object);
      expect(warnings).toEqual([
        expect.objectContaining({
          level: 'warn',
          message: 'A plugin that has migrated this database is not loaded, so its rules do not apply',
          table: 'migrations_shop',
        }),
        expect.objectContaining({
          level: 'warn',
          message: 'No module of this service opens signers of a kind that is stored',
          kind: 'acme_hsm',
          signers: 1,
        }),
      ]);
    });
  });

  it('makes a start with the plugin warn of other signers only', async () => {
    await serve([ShopModule], ({ logs }) => {
      expect(logs.filter((line) => MISSING.test(line))).toEqual([
        expect.stringContaining('"kind":"acme_hsm"') as string,
      ]);
    });
  });

  it('refuses signatures of a signer whose type no module offers with 503, and says why', async () => {
    await serve([], async (service) => {
      const { status, body } = await service.post('/api/v1/relayers/of-theirs/sign', { message: 'hello' });
      expect({ status, body }).toMatchObject({
        status: 503,
        body: { error: 'no module of this service opens signers of type acme_hsm' },
      });
    });
  });
});
