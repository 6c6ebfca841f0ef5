import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { ENTITIES } from '../../src/app.entities';
import { SEALED_COLUMNS } from '../../src/app.sealed-columns';
import { Secret } from '../../src/common/secrets/secret';
import { type SealedColumn, SecretCipher } from '../../src/common/secrets/secret-cipher';
import { parseDatabaseUrl } from '../../src/config/database-url';
import { createDataSource, dataSourceOptions } from '../../src/database/data-source';
import { NOTIFICATION_SIGNING_KEY, NotificationEntity } from '../../src/notifications/notification.entity';
import { RELAYER_RPC_URLS, RelayerEntity } from '../../src/relayers/relayer.entity';
import { SIGNER_SECRET, SignerEntity } from '../../src/signers/signer.entity';
import type { TestDatabase } from './databases';

const ROTATE = join(__dirname, '../../dist/rotate.js');
const CHUNK = 100;

type Row = Record<string, unknown> & { id: string };

/** A look into a database from beside the service. */
export class StoredSecrets {
  private constructor(readonly dataSource: DataSource) {}

  static async open(database: TestDatabase): Promise<StoredSecrets> {
    const options = dataSourceOptions(parseDatabaseUrl(database.url), ENTITIES);
    return new StoredSecrets(await createDataSource(options).initialize());
  }

  close(): Promise<void> {
    return this.dataSource.destroy();
  }

  /**
   * Stores signers, webhooks and relayers, `count` of each, with a secret each; the ids are `row-00000` and so on. Of
   * the built-in networks only Sepolia keeps its RPC endpoints.
   */
  async fill(key: string, count: number): Promise<void> {
    await this.dataSource.query("UPDATE networks SET rpc_urls = NULL WHERE id <> 'evm:sepolia'");
    const ids = Array.from({ length: count }, (_, i) => `row-${String(i).padStart(5, '0')}`);
    for (let i = 0; i < count; i += CHUNK) await this.insert(key, ids.slice(i, i + CHUNK));
  }

  fillOne(key: string, id: string): Promise<void> {
    return this.insert(key, [id]);
  }

  /** Every secret by its place (`table.column id`), as the holder of these keys reads it. @throws SecretUnreadableError */
  async texts(...keys: string[]): Promise<Map<string, string>> {
    const cipher = cipherOf(...keys);
    const texts = new Map<string, string>();
    for (const [place, sealed] of await this.sealed()) {
      const [table = '', column = '', row = ''] = place.split(/[. ]/);
      texts.set(place, cipher.open(sealed, { table, column, row }).reveal());
    }
    return texts;
  }

  /** Every sealed record by its place. */
  async sealed(): Promise<Map<string, string>> {
    const records = new Map<string, string>();
    for (const { table, column } of SEALED_COLUMNS)
      for (const { id, [column]: sealed } of await this.rows(table))
        if (typeof sealed === 'string') records.set(`${table}.${column} ${id}`, sealed);
    return records;
  }

  /** How many records are not sealed with this key. */
  async left(key: string): Promise<number> {
    const [prefix] = cipherOf(key).recordPrefixes;
    return [...(await this.sealed()).values()].filter((sealed) => !sealed.startsWith(prefix)).length;
  }

  /** Every row of every table, as it is stored. */
  async dump(): Promise<string> {
    return JSON.stringify(await this.tables());
  }

  async dumpWithoutSecrets(): Promise<string> {
    const columns = SEALED_COLUMNS.map(({ column }) => column);
    return JSON.stringify(await this.tables(), (name, value: unknown) =>
      columns.includes(name) ? undefined : value,
    );
  }

  private tables(): Promise<Row[][]> {
    return Promise.all(this.dataSource.entityMetadatas.map(({ tableName }) => this.rows(tableName)));
  }

  private rows(table: string): Promise<Row[]> {
    return this.dataSource.query<Row[]>(`SELECT * FROM ${table} ORDER BY id`);
  }

  private async insert(key: string, ids: string[]): Promise<void> {
    const cipher = cipherOf(key);
    const seal = (column: SealedColumn, row: string, text: string): string =>
      cipher.seal(new Secret(text), { ...column, row });
    const createdAt = new Date();
    const { manager } = this.dataSource;
    await manager.insert(
      SignerEntity,
      ids.map((id) => ({
        id,
        kind: 'local',
        settings: {},
        secret: seal(SIGNER_SECRET, id, randomBytes(32).toString('hex')),
        createdAt,
      })),
    );
    await manager.insert(
      NotificationEntity,
      ids.map((id) => ({
        id,
        type: 'webhook' as const,
        url: 'https://hooks.example/',
        signingKey: seal(NOTIFICATION_SIGNING_KEY, id, randomBytes(24).toString('hex')),
        createdAt,
      })),
    );
    await manager.insert(
      RelayerEntity,
      ids.map((id) => ({
        id,
        name: id,
        network: 'sepolia',
        networkType: 'evm' as const,
        address: `0x${randomBytes(20).toString('hex')}`,
        chainId: '11155111',
        signerId: id,
        paused: false,
        systemDisabled: false,
        customRpcUrls: seal(
          RELAYER_RPC_URLS,
          id,
          JSON.stringify([{ url: `https://rpc.example/${randomBytes(16).toString('hex')}`, weight: 100 }]),
        ),
        policies: {},
        createdAt,
      })),
    );
  }
}

/** `node dist/rotate.js` as a process of its own. */
export class RotationProcess {
  readonly child: ChildProcess;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  stdout = '';
  stderr = '';

  constructor(database: TestDatabase, ...keys: string[]) {
    this.child = spawn(process.execPath, [ROTATE], {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        API_KEY: randomBytes(24).toString('hex'),
        DATABASE_URL: database.url,
        STORAGE_ENCRYPTION_KEY: keys.join(),
      },
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = once(this.child, 'close').then(
      ([code, signal]: (number | NodeJS.Signals | null)[]) => signal ?? code ?? null,
    );
  }

  /** Resolves once it has said this, and fails where it ends without. */
  async says(text: string): Promise<void> {
    const over = this.ended.then((end) => {
      throw new Error(`It ended with ${String(end)}: ${this.stderr}`);
    });
    // It may end later, when nobody waits for it.
    over.catch(() => undefined);
    while (!this.stdout.includes(text)) await Promise.race([over, once(this.child.stdout!, 'data')]);
  }
}

function cipherOf(...keys: string[]): SecretCipher {
  return new SecretCipher(
    keys.map((key) => new Secret(key)),
    SEALED_COLUMNS,
  );
}
