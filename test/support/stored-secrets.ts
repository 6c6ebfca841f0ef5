import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { ENTITIES } from '../../src/app/entities';
import { PROTECTED_TABLES } from '../../src/app/protected-tables';
import { SEALED_COLUMNS } from '../../src/app/sealed-columns';
import { RowMacs } from '../../src/secrets/row-macs';
import { Secret } from '../../src/common/secrets/secret';
import { type SealedColumn, SecretCipher, secretPlace } from '../../src/secrets/secret-cipher';
import { parseDatabaseUrl } from '../../src/config/database-url';
import { createDataSource, dataSourceOptions } from '../../src/database/data-source';
import {
  NOTIFICATION_SIGNING_KEY,
  NOTIFICATION_URL,
  NotificationEntity,
} from '../../src/notifications/notification.entity';
import { RELAYER_RPC_URLS, RelayerEntity } from '../../src/relayers/relayer.entity';
import { SIGNER_SECRET, SignerEntity } from '../../src/signers/signer.entity';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { RowSealing } from '../../src/stored-secrets/row-sealing';
import { StorageRotation } from '../../src/stored-secrets/storage-rotation';
import { StoredRecords } from '../../src/stored-secrets/stored-records';
import type { TestDatabase } from './databases';

const CHUNK = 100;
const MAX_ROWS = 100_000;

type Row = Record<string, unknown> & { id: string };

/** Access to a database from outside of the service. */
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
   * Stores `count` signers, webhooks and relayers, with a secret each; their ids are `row-00000` and so on. Of the
   * built-in networks, only Sepolia retains its RPC endpoints.
   */
  async fill(key: string, count: number): Promise<void> {
    await this.dataSource.query("UPDATE networks SET rpc_urls = NULL, mac = NULL WHERE id <> 'evm:sepolia'");
    const ids = Array.from({ length: count }, (_, i) => `row-${String(i).padStart(5, '0')}`);
    for (let i = 0; i < count; i += CHUNK) await this.insert(key, ids.slice(i, i + CHUNK));
    await this.sealNew(key);
  }

  async fillOne(key: string, id: string): Promise<void> {
    await this.insert(key, [id]);
    await this.sealNew(key);
  }

  /** Adds MACs to the rows without one. */
  async sealNew(key: string): Promise<void> {
    const sealing = new RowSealing(new UnitOfWork(this.dataSource), this.recordsOf(key).tables);
    for await (const { row, fault } of sealing.unsealed())
      if (fault !== undefined) throw new Error(`Row ${row.id} ${fault}`);
  }

  /** Every secret by its location (`table.column id`), decrypted with these keys. @throws SecretUnreadableError */
  async texts(...keys: string[]): Promise<Map<string, string>> {
    const cipher = cipherOf(...keys);
    const texts = new Map<string, string>();
    for (const column of SEALED_COLUMNS)
      for (const row of await this.rows(column.table)) {
        const sealed = row[column.column];
        const values =
          typeof row.settings === 'string' ? { ...row, settings: JSON.parse(row.settings) } : row;
        if (typeof sealed === 'string')
          texts.set(
            `${column.table}.${column.column} ${row.id}`,
            cipher.open(sealed, secretPlace(column, row.id, values)).reveal(),
          );
      }
    return texts;
  }

  /** Every sealed record by its location. */
  async sealed(): Promise<Map<string, string>> {
    const records = new Map<string, string>();
    for (const { table, column } of SEALED_COLUMNS)
      for (const { id, [column]: sealed } of await this.rows(table))
        if (typeof sealed === 'string') records.set(`${table}.${column} ${id}`, sealed);
    return records;
  }

  /** The number of rows that are not entirely under this key. */
  async left(key: string): Promise<number> {
    const left = await Promise.all(
      this.recordsOf(key).tables.map(async (table) => {
        const rows = await table.after('', MAX_ROWS);
        return rows.filter((row) => !table.isCurrent(row)).length;
      }),
    );
    return left.reduce((sum, count) => sum + count, 0);
  }

  /** The faults of all rows for these keys, as `table id: it …`. */
  async faults(...keys: string[]): Promise<string[]> {
    const faults = this.recordsOf(...keys).tables.map(async (table) => {
      const rows = await table.after('', MAX_ROWS);
      return rows.flatMap((row) => {
        const fault = table.faultOf(row);
        return fault === undefined ? [] : [`${table.name} ${row.id}: it ${fault}`];
      });
    });
    return (await Promise.all(faults)).flat();
  }

  /** Does what `npm run storage:rotate` does. @returns whether every record is current afterwards */
  rotate(...keys: string[]): Promise<boolean> {
    const output = { print: () => undefined, printToStderr: () => undefined };
    return new StorageRotation(this.recordsOf(...keys).all, output).run(new AbortController().signal);
  }

  private recordsOf(...keys: string[]): StoredRecords {
    return new StoredRecords(new UnitOfWork(this.dataSource), cipherOf(...keys), macsOf(...keys));
  }

  /** Every stored row of every table, except for the audit log, to which the service adds its own actions. */
  async dump(): Promise<string> {
    return JSON.stringify(await this.tables());
  }

  async dumpWithoutSecrets(): Promise<string> {
    const columns = [...SEALED_COLUMNS.map(({ column }) => column), 'mac'];
    return JSON.stringify(await this.tables(), (name, value: unknown) =>
      columns.includes(name) ? undefined : value,
    );
  }

  private tables(): Promise<Row[][]> {
    const tables = this.dataSource.entityMetadatas.map(({ tableName }) => tableName);
    return Promise.all(tables.filter((name) => !name.startsWith('audit_')).map((name) => this.rows(name)));
  }

  private rows(table: string): Promise<Row[]> {
    return this.dataSource.query<Row[]>(`SELECT * FROM ${table} ORDER BY 1`);
  }

  private async insert(key: string, ids: string[]): Promise<void> {
    const cipher = cipherOf(key);
    const seal = (column: SealedColumn, row: string, text: string): string =>
      cipher.seal(new Secret(text), secretPlace(column, row, { kind: 'local', settings: {} }));
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
        url: seal(NOTIFICATION_URL, id, 'https://hooks.example/'),
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

/** A command of the service, for example `node dist/commands/storage-rotate.js`, in a separate process. */
export class CommandProcess {
  readonly child: ChildProcess;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  stdout = '';
  stderr = '';

  /** @param command the path below `dist/`, and its arguments */
  constructor(command: readonly string[], database: TestDatabase, ...keys: string[]) {
    const [script = '', ...args] = command;
    this.child = spawn(process.execPath, [join(__dirname, '../../dist', script), ...args], {
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

  /** Resolves once the process has printed the text, and fails if it ends without doing so. */
  async untilPrinted(text: string): Promise<void> {
    const over = this.ended.then((end) => {
      throw new Error(`It ended with ${String(end)}: ${this.stderr}`);
    });
    // It may end later, when nothing waits for it.
    over.catch(() => undefined);
    while (!this.stdout.includes(text)) await Promise.race([over, once(this.child.stdout!, 'data')]);
  }
}

/** `node dist/commands/storage-rotate.js`. */
export class RotationProcess extends CommandProcess {
  constructor(database: TestDatabase, ...keys: string[]) {
    super(['commands/storage-rotate.js'], database, ...keys);
  }
}

function macsOf(...keys: string[]): RowMacs {
  return new RowMacs(
    keys.map((key) => new Secret(key)),
    PROTECTED_TABLES,
  );
}

function cipherOf(...keys: string[]): SecretCipher {
  return new SecretCipher(
    keys.map((key) => new Secret(key)),
    SEALED_COLUMNS,
  );
}
