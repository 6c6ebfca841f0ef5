import type { Environment } from '../../src/config/env-file';
import { TestApplication, type Overrides } from './application';
import {
  createSqlite,
  describeOnDatabases,
  withSchema,
  type CreateDatabase,
  type TestDatabase,
} from './databases';

export interface ServiceOptions extends Overrides {
  /** Environment variables of the service. */
  settings?: Environment;
  /**
   * `suite` (default): one service and one database for all tests; `test`: new ones for each test; `none`: a new
   * database for each test, on which the test itself starts the service.
   */
  startFor?: 'suite' | 'test' | 'none';
  /** Whether to omit MariaDB, because the suite does not depend on the database. */
  onlySqlite?: boolean;
}

/**
 * The arguments of a suite. They are the same objects in all tests, and can be used from the first hook of the suite
 * on.
 */
export interface ServiceSuite {
  service: TestApplication;
  database: TestDatabase;
  databaseName: string;
}

/**
 * Declares a suite that needs the service, once for each database. The service is started before the suite's hooks, and
 * closed before its final hooks; the database is dropped last.
 */
export function describeService(title: string, suite: (context: ServiceSuite) => void): void;
export function describeService(
  title: string,
  options: ServiceOptions,
  suite: (context: ServiceSuite) => void,
): void;
export function describeService(title: string, ...args: unknown[]): void {
  const suite = args.pop() as (context: ServiceSuite) => void;
  const [options = {}] = args as [ServiceOptions?];
  const declare = (create: CreateDatabase, databaseName: string): void => {
    declareSuite(create, databaseName, options, suite);
  };
  if (options.onlySqlite) {
    describe(title, () => {
      declare(withSchema(createSqlite), 'SQLite');
    });
  } else {
    describeOnDatabases(title, declare);
  }
}

function declareSuite(
  create: CreateDatabase,
  databaseName: string,
  { settings, startFor = 'suite', ...overrides }: ServiceOptions,
  suite: (context: ServiceSuite) => void,
): void {
  const [before, after] = startFor === 'suite' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  const service = new TestApplication();
  const database: TestDatabase = { url: '', drop: () => Promise.resolve() };
  before(async () => {
    Object.assign(database, await create());
    if (startFor !== 'none') await service.start(database, settings, overrides);
  });
  after(async () => {
    if (service.isOpen) await service.close();
  });
  suite({ service, database, databaseName });
  after(() => database.drop());
}
