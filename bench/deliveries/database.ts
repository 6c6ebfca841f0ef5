/** A database that the service writes to and an observer reads from. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';

type Row = Record<string, unknown>;

export interface ObservedDatabase {
  /** In the form of `DATABASE_URL`. */
  readonly url: string;
  /** An SQL expression for a new id. */
  readonly newId: string;
  query: <T = Row>(statement: string) => Promise<T[]>;
  drop: () => Promise<void>;
}

/** The part of libsql used here, which has no type declarations. */
interface SqliteConnection {
  pragma: (text: string) => unknown;
  prepare: (statement: string) => { reader: boolean; all: () => Row[]; run: () => unknown };
  close: () => void;
}

export class SqliteFile implements ObservedDatabase {
  readonly url: string;
  readonly newId = 'lower(hex(randomblob(16)))';
  private readonly folder = mkdtempSync(join(tmpdir(), 'relayer-sqlite-'));
  private readonly file = join(this.folder, 'relayer.sqlite');

  private constructor() {
    this.url = `sqlite:${this.file}`;
  }

  static create(): SqliteFile {
    return new SqliteFile();
  }

  async query<T = Row>(statement: string): Promise<T[]> {
    const { default: Sqlite } = (await import('libsql')) as unknown as {
      default: new (file: string) => SqliteConnection;
    };
    const connection = new Sqlite(this.file);
    try {
      connection.pragma('busy_timeout = 10000');
      const prepared = connection.prepare(statement);
      if (prepared.reader) return prepared.all() as T[];
      prepared.run();
      return [];
    } finally {
      connection.close();
    }
  }

  drop(): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true });
    return Promise.resolve();
  }
}

export class ServerDatabase implements ObservedDatabase {
  readonly url: string;
  readonly newId = 'uuid()';

  private constructor(
    private readonly server: string,
    private readonly name: string,
  ) {
    this.url = `${server}/${name}`;
  }

  /** @param url the URL of the server */
  static async create(url: string): Promise<ServerDatabase> {
    const database = new ServerDatabase(url, `deliveries_${randomBytes(6).toString('hex')}`);
    await query(url, `CREATE DATABASE ${database.name} CHARACTER SET utf8mb4`);
    return database;
  }

  async query<T = Row>(statement: string): Promise<T[]> {
    return (await query(this.url, statement)) as T[];
  }

  async drop(): Promise<void> {
    await query(this.server, `DROP DATABASE ${this.name}`);
  }
}

async function query(url: string, statement: string): Promise<unknown> {
  const connection = await createConnection(url);
  try {
    return (await connection.query(statement))[0];
  } finally {
    await connection.end();
  }
}
