import type { DataSource } from 'typeorm';
import { ENTITIES } from './entities';
import { PROTECTED_TABLES } from './protected-tables';
import { SEALED_COLUMNS } from './sealed-columns';
import { createDataSource, dataSourceOptions } from '../database/data-source';

describe('PROTECTED_TABLES', () => {
  let dataSource: DataSource;

  beforeAll(async () => {
    dataSource = await createDataSource(
      dataSourceOptions({ type: 'sqlite', file: ':memory:' }, ENTITIES),
    ).initialize();
  });

  afterAll(() => dataSource.destroy());

  const metadataOf = (table: string) =>
    dataSource.entityMetadatas.find(({ tableName }) => tableName === table);

  it('are the tables that decide what is signed, by whom, and where data is sent', () => {
    expect(PROTECTED_TABLES.map(({ table }) => table)).toEqual([
      'signers',
      'notifications',
      'networks',
      'relayers',
      'transactions',
      'change_requests',
      'api_keys',
      'audit_chains',
    ]);
  });

  it.each(PROTECTED_TABLES)(
    '$table has a MAC, and declares for each column whether the MAC covers it',
    (declared) => {
      const names = metadataOf(declared.table)?.columns.map(({ propertyName }) => propertyName);
      expect([...Object.keys(declared.columns), 'mac'].sort()).toEqual(names?.sort());
      expect(declared.columns.id).toBe('protected');
    },
  );

  it('cover every secret, which lets a row and its secrets be re-keyed together', () => {
    for (const { table, column } of SEALED_COLUMNS) {
      const declared = PROTECTED_TABLES.find((each) => each.table === table);
      const property = metadataOf(table)?.columns.find(
        ({ databaseName }) => databaseName === column,
      )?.propertyName;
      expect(declared?.columns[property ?? '']).toBe('protected');
    }
  });

  it('include the columns that secrets are bound to', () => {
    for (const { table, boundTo = [] } of SEALED_COLUMNS)
      expect(metadataOf(table)?.columns.map(({ databaseName }) => databaseName)).toEqual(
        expect.arrayContaining([...boundTo]),
      );
  });
});
