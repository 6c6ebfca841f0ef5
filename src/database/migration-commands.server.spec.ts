import type { DataSource } from 'typeorm';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../../test/support/databases';

describeWithMariaDb('The commands of TypeORM', () => {
  const { DATABASE_URL } = process.env;
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createMariaDb();
    process.env.DATABASE_URL = database.url;
  });

  afterEach(async () => {
    if (DATABASE_URL === undefined) delete process.env.DATABASE_URL;
    else process.env.DATABASE_URL = DATABASE_URL;
    await database.drop();
  });

  it('allow a statement of a migration an hour', async () => {
    // Loaded only now, because it reads the settings.
    const { default: dataSource } = jest.requireActual<{ default: DataSource }>('../../ormconfig');
    await dataSource.initialize();
    try {
      const [session] = await dataSource.query<{ wait: string }[]>(
        'SELECT @@SESSION.lock_wait_timeout AS wait',
      );
      // A wait for a table ends a second before the statement times out.
      expect(Number(session?.wait)).toBe(3599);
    } finally {
      await dataSource.destroy();
    }
  });
});
