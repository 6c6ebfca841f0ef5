/**
 * The schema of the service, migrated once per run and copied for each suite: migrations take longer than most tests.
 */
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { createConnection, format } from 'mysql2/promise';
import type { DataSource } from 'typeorm';
import { ENTITIES } from '../../src/app/entities';
import { parseDatabaseUrl } from '../../src/config/database-url';
import { createDataSource, dataSourceOptions } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';

const SQLITE_FILE = 'schema.sqlite';
const MARIADB_SCRIPT = 'schema.sql';
const MARIADB_NAME = 'schema_of_tests';

/** Writes the files for {@link copySchema}, including one for MariaDB if a URL is given. @returns a new folder */
export async function writeSchema(mariaDbUrl: string | undefined): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'relayer-schema-'));
  await withMigrated(`sqlite:${join(folder, SQLITE_FILE)}`, async (database) => {
    await database.query('PRAGMA wal_checkpoint(TRUNCATE)');
  });
  if (mariaDbUrl === undefined) return folder;
  const server = await createConnection(mariaDbUrl);
  await server.query(`CREATE DATABASE ${MARIADB_NAME} CHARACTER SET utf8mb4`);
  await server.end();
  await withMigrated(`${mariaDbUrl}/${MARIADB_NAME}`, async (database) => {
    writeFileSync(join(folder, MARIADB_SCRIPT), await scriptOf(database));
  });
  return folder;
}

/** Copies the schema into an empty database. If none was written, the service migrates the database when it starts. */
export async function copySchema(url: string): Promise<void> {
  const { TEST_SCHEMA: folder } = process.env;
  if (folder === undefined) return;
  if (url.startsWith('sqlite:')) {
    copyFileSync(join(folder, SQLITE_FILE), url.slice('sqlite:'.length));
    return;
  }
  const connection = await createConnection({ uri: url, multipleStatements: true });
  try {
    await connection.query(readFileSync(join(folder, MARIADB_SCRIPT), 'utf8'));
  } finally {
    await connection.end();
  }
}

async function withMigrated(url: string, work: (database: DataSource) => Promise<void>): Promise<void> {
  Logger.overrideLogger(false);
  const database = createDataSource(dataSourceOptions(parseDatabaseUrl(url), ENTITIES));
  await database.initialize();
  try {
    await migrate(database);
    await work(database);
  } finally {
    await database.destroy();
  }
}

async function scriptOf(database: DataSource): Promise<string> {
  // Disabled because tables refer to others that come later in the script.
  const statements = ['SET foreign_key_checks = 0'];
  const tables = await database.query<Record<string, string>[]>('SHOW TABLES');
  for (const table of tables.flatMap((row) => Object.values(row))) {
    const [shown] = await database.query<Record<string, string>[]>(`SHOW CREATE TABLE ${table}`);
    statements.push(shown?.['Create Table'] ?? '');
  }
  const migrations = await database.query<{ timestamp: string; name: string }[]>('SELECT * FROM migrations');
  for (const { timestamp, name } of migrations)
    statements.push(format('INSERT INTO migrations (timestamp, name) VALUES (?, ?)', [timestamp, name]));
  return statements.join(';\n');
}
