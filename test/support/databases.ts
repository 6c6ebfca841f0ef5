import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { copySchema } from './schema';

/** An empty database for one test. */
export interface TestDatabase {
  /** In the form of `DATABASE_URL`. */
  url: string;
  drop: () => Promise<void>;
}

export type CreateDatabase = () => Promise<TestDatabase>;

const MARIADB_URL = process.env.TEST_MARIADB_URL;
/** The product of the server: suites for MariaDB can also run on MySQL. */
export const SERVER = process.env.TEST_MYSQLD
  ? ({ name: 'MySQL', type: 'mysql' } as const)
  : ({ name: 'MariaDB', type: 'mariadb' } as const);

export function createSqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'relayer-sqlite-'));
  return Promise.resolve({
    url: `sqlite:${join(folder, 'relayer.sqlite')}`,
    drop: () => {
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  });
}

export async function createMariaDb(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  return { url: `${MARIADB_URL ?? ''}/${name}`, drop: () => administer(`DROP DATABASE ${name}`) };
}

type DatabaseSuite = (create: CreateDatabase, name: string) => void;

/**
 * Declares a suite once for each database, with the schema of the service. If the server of a database is missing, the
 * suite is listed as skipped.
 */
export function describeOnDatabases(title: string, suite: DatabaseSuite): void {
  describeOnEmptyDatabases(title, (create, name) => {
    suite(withSchema(create), name);
  });
}

/** Creates databases that have the schema of the service. */
export const withSchema =
  (create: CreateDatabase): CreateDatabase =>
  async () => {
    const database = await create();
    await copySchema(database.url);
    return database;
  };

/** Like {@link describeOnDatabases}, for suites that migrate their databases or have tables of their own. */
export function describeOnEmptyDatabases(title: string, suite: DatabaseSuite): void {
  describe(`${title} on SQLite`, () => {
    suite(createSqlite, 'SQLite');
  });
  describeWithMariaDb(title, () => {
    suite(createMariaDb, SERVER.name);
  });
}

export function describeWithMariaDb(title: string, suite: () => void): void {
  (MARIADB_URL ? describe : describe.skip)(`${title} on ${SERVER.name}`, suite);
}

async function administer(statement: string): Promise<void> {
  const connection = await createConnection(MARIADB_URL ?? '');
  try {
    await connection.query(statement);
  } finally {
    await connection.end();
  }
}
