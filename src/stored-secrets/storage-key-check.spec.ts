import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { RowMacs } from '../secrets/row-macs';
import { Secret } from '../common/secrets/secret';
import { type SealedColumn, SecretCipher } from '../secrets/secret-cipher';
import { createDataSource, dataSourceOptions } from '../database/data-source';
import { UnitOfWork } from '../database/unit-of-work';
import { StorageKeyCheck } from './storage-key-check';

const COLUMN: SealedColumn = { table: 'things', column: 'code' };
const [OLD, NEW] = [1, 2].map((byte) => new Secret(Buffer.alloc(32, byte).toString('base64'))) as [
  Secret,
  Secret,
];
const cipherOf = (...keys: Secret[]) => new SecretCipher(keys, [COLUMN]);

describe('StorageKeyCheck', () => {
  let folder: string;
  let dataSource: DataSource;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-check-'));
    const options = dataSourceOptions({ type: 'sqlite', file: join(folder, 'db') }, []);
    dataSource = await createDataSource(options).initialize();
    await dataSource.query('CREATE TABLE things (id varchar PRIMARY KEY, code text)');
  });

  afterEach(async () => {
    await dataSource.destroy();
    rmSync(folder, { recursive: true });
  });

  const insert = (id: string, code: string | null): Promise<unknown> =>
    dataSource.query('INSERT INTO things VALUES (?, ?)', [id, code]);
  const seal = (key: Secret, row: string): string =>
    cipherOf(key).seal(new Secret('text'), { ...COLUMN, row });
  const versionOf = (key: Secret): string => cipherOf(key).keyVersions[0];
  const verify = (...keys: Secret[]): Promise<void> =>
    new StorageKeyCheck(new UnitOfWork(dataSource), cipherOf(...keys), new RowMacs(keys, [])).verify();

  it('passes if nothing is stored', async () => {
    await insert('none', null);
    await expect(verify(NEW)).resolves.toBeUndefined();
  });

  it('checks an empty database again, because another instance may have filled it since', async () => {
    const check = new StorageKeyCheck(new UnitOfWork(dataSource), cipherOf(NEW), new RowMacs([NEW], []));
    await check.verify();
    await check.verifyFirstRows();
    await insert('a', seal(OLD, 'a'));
    await expect(check.verifyFirstRows()).rejects.toThrow('things.code of row a');
  });

  it('does not check a database again that had records', async () => {
    await insert('a', seal(NEW, 'a'));
    const check = new StorageKeyCheck(new UnitOfWork(dataSource), cipherOf(NEW), new RowMacs([NEW], []));
    await check.verify();
    await insert('b', seal(OLD, 'b'));
    await expect(check.verifyFirstRows()).resolves.toBeUndefined();
  });

  it('passes if the key of every record is configured', async () => {
    await insert('a', seal(OLD, 'a'));
    await insert('b', seal(NEW, 'b'));
    await expect(verify(NEW, OLD)).resolves.toBeUndefined();
    await expect(verify(OLD, NEW)).resolves.toBeUndefined();
  });

  it.each([
    ['a', NEW],
    ['b', OLD],
  ])('names row %s if its key is missing, regardless of the order of records', async (row, key) => {
    await insert('a', seal(OLD, 'a'));
    await insert('b', seal(NEW, 'b'));
    await expect(verify(key)).rejects.toMatchObject({
      faults: [
        'STORAGE_ENCRYPTION_KEY lacks a key that this database was written with: ' +
          `things.code of row ${row} names the key ${versionOf(row === 'a' ? OLD : NEW)}, which is not in the list`,
      ],
    });
  });

  it('rethrows other errors', async () => {
    await dataSource.query('DROP TABLE things');
    await expect(verify(NEW)).rejects.toThrow('no such table');
  });
});
