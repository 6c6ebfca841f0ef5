import { existsSync, accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DataSource, DataSourceOptions } from 'typeorm';
import type { AppConfig } from '../config/app-config';
import { ConfigurationError } from '../config/configuration-error';
import { createDataSource, dataSourceOptions } from '../database/data-source';
import { driverCodeOf } from '../database/drivers/driver-errors';
import { readOnlyVariable } from '../database/drivers/mysql/read-only-server';
import { refuseNewerSchema, SERVICE_MIGRATIONS } from '../database/unknown-migrations';
import type { ClockReading } from './clock.check';
import { databaseAdvice, readableCode } from '../database/database-advice';
import { withSession } from '../database/with-session';
import { type Finding, ok, problem, warning } from './finding';
import { isAtLeast, parseVersion } from './server-version';

const CHECK = 'database';
const OLDEST = { MySQL: [8, 0], MariaDB: [10, 6] } as const;

interface DatabaseState {
  findings: Finding[];
  /** Whether the schema is that of this version, so that rows can be read. */
  isCurrent: boolean;
  /** Whether there is no schema yet, so that the first start creates everything. */
  isNew: boolean;
  clocks: ClockReading[];
}

/** Connects as the service does, and compares the schema with the migrations of this version. Changes nothing. */
export async function checkDatabase(
  { database: settings, production }: Pick<AppConfig, 'database' | 'production'>,
  entities: NonNullable<DataSourceOptions['entities']>,
): Promise<DatabaseState> {
  if (settings.type === 'sqlite' && !existsSync(settings.file))
    return {
      findings: [missingFile(settings.file, production)],
      isCurrent: false,
      isNew: true,
      clocks: [],
    };
  const place = settings.type === 'sqlite' ? settings.file : `${settings.host}:${settings.port}`;
  let dataSource: DataSource;
  try {
    dataSource = await createDataSource(dataSourceOptions(settings, entities)).initialize();
  } catch (error) {
    return failed(place, error);
  }
  try {
    const clocks = settings.type === 'sqlite' ? [] : [await readClock(dataSource)];
    const server = await checkServer(dataSource, place);
    const { finding, ...state } = await checkSchema(dataSource);
    return { ...state, findings: [server, finding], clocks };
  } catch (error) {
    return failed(place, error);
  } finally {
    await dataSource.destroy();
  }
}

/** In production, a missing file is more likely to have been deleted or misnamed than not to be created yet. */
function missingFile(file: string, production: boolean): Finding {
  const folder = nearestFolder(dirname(resolve(file)));
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    const advice = 'Let the user of the service write there, or name another file in DATABASE_URL.';
    return problem(CHECK, `${folder} is read-only`, advice);
  }
  if (!production) return ok(CHECK, `the first start creates ${file}`);
  return warning(
    CHECK,
    `${file} is not there, and a start creates an empty database`,
    'Before a first start, that is right. If the service has run, restore the file or correct DATABASE_URL before you start it.',
  );
}

/** The nearest existing folder; a start creates missing ones. */
const nearestFolder = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));

function failed(place: string, error: unknown): DatabaseState {
  const code = driverCodeOf(error);
  const cause = code === '' ? 'unknown cause' : readableCode(code);
  return {
    findings: [problem(CHECK, `${place} cannot be used (${cause})`, databaseAdvice(code))],
    isCurrent: false,
    isNew: false,
    clocks: [],
  };
}

async function readClock(dataSource: DataSource): Promise<ClockReading> {
  const askedAt = Date.now();
  const [row] = await dataSource.query<{ now: string }[]>(
    "SELECT DATE_FORMAT(UTC_TIMESTAMP(3), '%Y-%m-%dT%H:%i:%s.%f') AS now",
  );
  const shown = Date.parse(`${row?.now.slice(0, 23)}Z`);
  return { source: 'the database', shown, askedAt, respondedAt: Date.now() };
}

async function checkServer(dataSource: DataSource, place: string): Promise<Finding> {
  if (dataSource.options.type === 'better-sqlite3') return ok(CHECK, `SQLite in ${place}`);
  const [row] = await dataSource.query<{ version: string }[]>('SELECT VERSION() AS version');
  const version = row?.version ?? '';
  const product = /mariadb/i.test(version) ? 'MariaDB' : 'MySQL';
  const found = parseVersion(version);
  const oldest = OLDEST[product];
  const detail = `${product} ${found.join('.')} at ${place}`;
  if (!isAtLeast(found, oldest))
    return problem(CHECK, detail, `Upgrade the server to ${product} ${oldest.join('.')} or later.`);
  const variable = await readOnlyVariable(dataSource);
  if (variable !== undefined)
    return problem(
      CHECK,
      `${detail} is read-only (@@global.${variable})`,
      'Let DATABASE_URL name the primary, or make this server writable.',
    );
  return ok(CHECK, detail);
}

interface SchemaState extends Pick<DatabaseState, 'isCurrent' | 'isNew'> {
  finding: Finding;
}

async function checkSchema(dataSource: DataSource): Promise<SchemaState> {
  try {
    await refuseNewerSchema(dataSource, SERVICE_MIGRATIONS);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const advice = 'Start the version that migrated it; docs/upgrading.md says how to go back.';
    return { finding: problem('migrations', error.message, advice), isCurrent: false, isNew: false };
  }
  const applied = await appliedMigrations(dataSource);
  const pending = dataSource.migrations.length - applied;
  const isCurrent = pending === 0;
  return {
    finding: ok('migrations', isCurrent ? `all ${applied} applied` : `${pending} to apply at the next start`),
    isCurrent,
    isNew: applied === 0,
  };
}

const appliedMigrations = (dataSource: DataSource): Promise<number> =>
  withSession(dataSource, async (session) => {
    if (!(await session.hasTable('migrations'))) return 0;
    const [row] = (await session.query('SELECT COUNT(*) AS applied FROM migrations')) as {
      applied: number | string;
    }[];
    return Number(row?.applied);
  });
