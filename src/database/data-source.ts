import { resolve } from 'node:path';
import libsql from 'libsql';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { DatabaseSettings, MysqlSettings, SqliteSettings } from '../config/app-config';
import { MIGRATIONS } from './migrations/migrations';
import { endPool } from './drivers/mysql/mysql-pool';
import { limitStatements } from './drivers/mysql/mysql-query-runner';
import { restrictSqliteFiles } from './drivers/sqlite/sqlite-files';
import { isolateSqliteSessions } from './drivers/sqlite/sqlite-query-runner';
import { BUSY_TIMEOUT_MS } from './drivers/sqlite/sqlite-statements';
import { StatementLog } from './statement-log';

/** Time to connect to the database. @limit Database and Redis */
const CONNECT_TIMEOUT_MS = 5_000;
/** Time for one statement. @limit Database and Redis */
const QUERY_TIMEOUT_MS = 10_000;
const SLOW_FILE_ACCESS_MS = 1_000;
/** Connections of a process to MySQL or MariaDB. @limit Database and Redis */
export const POOL_SIZE = 10;
/** Requests that wait for a connection to the database. @limit Database and Redis */
const MAX_WAITING_FOR_CONNECTION = 1_000;
/** Time after which an unused connection to MySQL or MariaDB is closed. @limit Database and Redis */
const IDLE_CONNECTION_MS = 60_000;
/** The operating system's own two hours are longer than gateways remember a connection. */
const KEEP_ALIVE_MS = 30_000;

type Entities = NonNullable<DataSourceOptions['entities']>;

/** The options shared by the service, its tests and the migration commands. */
export function dataSourceOptions(settings: DatabaseSettings, entities: Entities): DataSourceOptions {
  const common = {
    entities,
    migrations: MIGRATIONS,
    synchronize: false,
    migrationsRun: false,
    logger: new StatementLog(),
  } as const;
  const driver = settings.type === 'sqlite' ? sqliteOptions(settings) : mysqlOptions(settings);
  return { ...common, ...driver };
}

/** Which database it is, for the log, without credentials: the path of the file, or `host:port/name`. */
export function placeOf(settings: DatabaseSettings): string {
  if (settings.type === 'sqlite')
    return settings.file === ':memory:' ? settings.file : resolve(settings.file);
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  return `${host}:${settings.port}/${settings.name}`;
}

/**
 * Creates a data source that is safe for concurrent callers with every driver, and whose statements have a timeout on
 * database servers. It is not connected yet.
 */
export function createDataSource(
  options: DataSourceOptions,
  statementTimeoutMs = QUERY_TIMEOUT_MS,
): DataSource {
  if (options.type === 'better-sqlite3') restrictSqliteFiles(options.database);
  return limitStatements(endPool(isolateSqliteSessions(new DataSource(options))), statementTimeoutMs);
}

function sqliteOptions(settings: SqliteSettings) {
  return {
    type: 'better-sqlite3',
    driver: libsql,
    database: settings.file,
    enableWAL: true,
    maxQueryExecutionTime: SLOW_FILE_ACCESS_MS,
    prepareDatabase: (database: { pragma: (statement: string) => unknown }) => {
      // Acknowledged writes survive a power failure.
      database.pragma('synchronous = FULL');
      database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
      // Deleted and replaced data is overwritten, even if its page is not reused.
      database.pragma('secure_delete = ON');
    },
  } as const;
}

function mysqlOptions(settings: MysqlSettings) {
  return {
    type: settings.type,
    host: settings.host,
    port: settings.port,
    username: settings.user,
    password: settings.password.reveal(),
    database: settings.name,
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
    bigNumberStrings: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(settings.tls !== 'off' && {
      ssl: { ca: settings.ca, rejectUnauthorized: true, verifyIdentity: settings.tls === 'verify-host' },
    }),
    ...mysqlPool(POOL_SIZE, {
      queueLimit: MAX_WAITING_FOR_CONNECTION,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
      idleTimeout: IDLE_CONNECTION_MS,
      // The server logs connections that end without a farewell.
      gracefulEnd: true,
      // mysql2 does not read the rest of a result after a JSON value that it cannot parse, and MariaDB accepts such
      // values. The next statement on the connection would get the rest as its own result.
      jsonStrings: true,
    }),
  } as const;
}

/**
 * The options of a pool whose unused connections are closed. The pool prefers connections that were used last, and the
 * others would be unused until a burst of requests. If a gateway has silently forgotten them by then, each fails a
 * request after the statement timeout.
 *
 * @param extra further options of mysql2
 */
export function mysqlPool(size: number, extra: object): { poolSize: number; extra: object } {
  // mysql2 closes none if all of the pool may be idle.
  return { poolSize: size, extra: { ...extra, maxIdle: size - 1 } };
}
