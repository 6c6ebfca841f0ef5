import { type DataSource, EntitySchema } from 'typeorm';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../../test/support/databases';
import { numberRows } from '../../test/support/number-rows';
import { Secret } from '../common/secrets/secret';
import { parseDatabaseUrl } from '../config/database-url';
import { createDataSource, dataSourceOptions } from '../database/data-source';
import { UnitOfWork } from '../database/unit-of-work';
import { type ProtectedTable, RowMacs } from '../secrets/row-macs';
import { SecretCipher } from '../secrets/secret-cipher';
import { RowAdoption } from './row-adoption';
import { RowSealing } from './row-sealing';
import { StorageKeyCheck } from './storage-key-check';
import { StorageRotation } from './storage-rotation';
import { StoredRecords } from './stored-records';

const ROWS = 12_000;
/** What a statement may examine, which is far below the number of rows. */
const MAX_EXAMINED = 6_000;

const THING = new EntitySchema({
  name: 'thing',
  tableName: 'things',
  columns: {
    id: { type: 'varchar', length: 36, primary: true },
    mac: { type: 'varchar', length: 64, nullable: true },
  },
});
const THINGS: ProtectedTable = { table: 'things', columns: { id: 'protected' } };
const [OLD, NEW] = [1, 2].map((byte) => new Secret(Buffer.alloc(32, byte).toString('base64'))) as [
  Secret,
  Secret,
];

describeWithMariaDb('Rows of large tables', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;

  beforeEach(async () => {
    database = await createMariaDb();
    const options = dataSourceOptions(parseDatabaseUrl(database.url), [THING]);
    dataSource = await createDataSource(options).initialize();
    unitOfWork = new UnitOfWork(dataSource);
    await dataSource.query('CREATE TABLE things (id varchar(36) PRIMARY KEY, mac varchar(64))');
    await dataSource.query(
      `INSERT INTO things SELECT LEFT(SHA2(seq, 256), 32), NULL FROM (${numberRows(1, ROWS)}) AS n`,
    );
    await logStatements(true);
  });

  afterEach(async () => {
    await logStatements(false);
    await dataSource.destroy();
    await database.drop();
  });

  const logStatements = async (on: boolean): Promise<void> => {
    if (on) await dataSource.query('TRUNCATE mysql.slow_log');
    await dataSource.query(`SET GLOBAL log_output = '${on ? 'TABLE' : 'FILE'}', slow_query_log = ${on}`);
    await dataSource.query(`SET GLOBAL long_query_time = ${on ? 0 : 10}`);
    // Connections keep the value with which they began.
    await dataSource.destroy();
    await dataSource.initialize();
  };
  const mostExamined = async (): Promise<number> => {
    const [row] = await dataSource.query<{ most: string | null }[]>(
      'SELECT MAX(rows_examined) AS most FROM mysql.slow_log WHERE db = DATABASE()',
    );
    return Number(row?.most);
  };
  const prefixOf = (key: Secret): string => new RowMacs([key], [THINGS]).newestPrefixOf('things');
  const setMacs = (key: Secret, where: string): Promise<unknown> =>
    dataSource.query(`UPDATE things SET mac = CONCAT(?, 'x') WHERE ${where}`, [prefixOf(key)]);
  const forget = (): Promise<unknown> => dataSource.query('TRUNCATE mysql.slow_log');
  const storage = (...keys: Secret[]) => {
    const cipher = new SecretCipher(keys, []);
    const macs = new RowMacs(keys, [THINGS]);
    return { cipher, macs, records: new StoredRecords(unitOfWork, cipher, macs) };
  };
  const start = async (...keys: Secret[]): Promise<void> => {
    const { cipher, macs } = storage(...keys);
    const config = { get: () => true } as never;
    const check = new StorageKeyCheck(unitOfWork, cipher, macs);
    await new RowAdoption(unitOfWork, cipher, macs, config, check).onModuleInit();
  };

  it('are not all read by a start', async () => {
    await setMacs(NEW, 'true');
    await forget();
    await start(NEW);
    // Rows of a subquery count twice.
    expect(await mostExamined()).toBeLessThan(11_000);
  });

  it.each([
    ['lowest', "id < '01'"],
    ['highest', "id > 'ff'"],
  ])(
    'prevent a start without the key of the %s ids, where an interrupted rotation ends',
    async (_, where) => {
      await setMacs(NEW, 'true');
      await setMacs(OLD, where);
      await expect(start(NEW)).rejects.toThrow('STORAGE_ENCRYPTION_KEY lacks a key');
      await expect(start(NEW, OLD)).resolves.toBeUndefined();
    },
  );

  it('prevent a start in production if none has a MAC', async () => {
    await expect(start(NEW)).rejects.toThrow('The database is of a version without MACs');
    expect(await mostExamined()).toBeLessThanOrEqual(MAX_EXAMINED);
  });

  it('are sealed and rotated by statements that each read a part, and all of them', async () => {
    const seal = async (key: Secret): Promise<number> => {
      let sealed = 0;
      for await (const { fault } of new RowSealing(unitOfWork, storage(key).records.tables).unsealed())
        if (fault === undefined) sealed += 1;
      return sealed;
    };
    expect(await unitOfWork.run(() => seal(NEW))).toBe(ROWS);
    await dataSource.query("UPDATE things SET mac = NULL WHERE id < '01' OR id > 'ff' OR id LIKE '80%'");
    expect(await seal(OLD)).toBeGreaterThan(100);
    const printed: string[] = [];
    const output = { print: (line: string) => printed.push(line), printToStderr: () => undefined };
    const rotation = new StorageRotation(storage(NEW, OLD).records.all, output);
    expect(await rotation.run(new AbortController().signal)).toBe(true);
    expect(printed.at(-1)).toBe('Each of these records uses the first storage key');
    expect(await mostExamined()).toBeLessThanOrEqual(MAX_EXAMINED);
    await expect(start(NEW)).resolves.toBeUndefined();
    const left = 'SELECT id FROM things WHERE mac NOT LIKE ? LIMIT 1';
    expect(await dataSource.query(left, [`${prefixOf(NEW)}%`])).toEqual([]);
  });
});
