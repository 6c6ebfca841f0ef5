import { Logger } from '@nestjs/common';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { createSqlite, type TestDatabase } from '../../test/support/databases';
import { parseDatabaseUrl } from '../config/database-url';
import { dataSourceOptions } from './data-source';
import { migrate } from './migrate';
import { mayPass } from './start-retries';

const down = (): Promise<void> => Promise.resolve();

class Faulty1796000000009 implements MigrationInterface {
  down = down;

  up(): Promise<void> {
    return Promise.reject(new TypeError("Cannot read properties of undefined (reading 'id')"));
  }
}

class Throwing1796000000010 implements MigrationInterface {
  name = 'ThrowAtOnce1796000000010';
  down = down;

  up(): never {
    throw new Error('Not now');
  }
}

class Refused1796000000011 implements MigrationInterface {
  down = down;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE refused (id int, id int)');
  }
}

class Unreached1796000000012 implements MigrationInterface {
  down = down;

  up(): Promise<void> {
    return Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
  }
}

class Unbuilt1796000000013 implements MigrationInterface {
  up = down;
  down = down;

  constructor() {
    throw new Error('Not at all');
  }
}

class Upless1796000000014 {
  down = down;
}

describe('A migration of a plugin that fails', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let logged: jest.SpyInstance;

  beforeEach(async () => {
    logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    database = await createSqlite();
    const options = dataSourceOptions(parseDatabaseUrl(database.url), []);
    dataSource = await new DataSource({ ...options, migrations: [] }).initialize();
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
    jest.restoreAllMocks();
  });

  const failure = (Migration: new () => MigrationInterface): Promise<unknown> =>
    migrate(dataSource, [
      { owner: 'the plugin acme', table: 'migrations_acme', migrations: [Migration] },
    ]).catch((error: unknown) => error);

  it.each([
    [
      Faulty1796000000009,
      "The migration Faulty1796000000009 of the plugin acme failed: Cannot read properties of undefined (reading 'id')",
    ],
    [Throwing1796000000010, 'The migration ThrowAtOnce1796000000010 of the plugin acme failed: Not now'],
  ])('stops the start with its name if its code is at fault: %p', async (Migration, message) => {
    const error = await failure(Migration);
    expect(error).toMatchObject({ name: 'ConfigurationError', message, cause: expect.any(Error) as Error });
    expect(mayPass(error)).toBe(false);
  });

  it.each([
    [
      Unbuilt1796000000013,
      'The migration Unbuilt1796000000013 of the plugin acme cannot be created: Not at all',
    ],
    [Upless1796000000014 as never, 'The migration Upless1796000000014 of the plugin acme has no method up'],
  ])('stops the start with its name if it is none: %p', async (Migration, message) => {
    const error = await failure(Migration);
    expect(error).toMatchObject({ name: 'ConfigurationError', message });
    expect(mayPass(error)).toBe(false);
  });

  it('keeps an error of the database, which decides about the next attempt', async () => {
    const refused = await failure(Refused1796000000011);
    expect(refused).toMatchObject({ name: 'QueryFailedError' });
    expect(mayPass(refused)).toBe(false);
    expect(mayPass(await failure(Unreached1796000000012))).toBe(true);
  });

  it('is in the log at the level "error", with its name', async () => {
    await failure(Refused1796000000011);
    expect(logged.mock.calls).toEqual([
      [expect.stringMatching(/^Migration "Refused1796000000011" failed, error: .*duplicate column name: id/)],
    ]);
  });
});
