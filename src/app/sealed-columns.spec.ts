import type { DataSource } from 'typeorm';
import { ENTITIES } from './entities';
import { SEALED_COLUMNS } from './sealed-columns';
import { createDataSource, dataSourceOptions } from '../database/data-source';

describe('SEALED_COLUMNS', () => {
  let dataSource: DataSource;

  beforeAll(async () => {
    dataSource = await createDataSource(
      dataSourceOptions({ type: 'sqlite', file: ':memory:' }, ENTITIES),
    ).initialize();
  });

  afterAll(() => dataSource.destroy());

  it('lists each column once', () => {
    const names = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    expect(names).toEqual(
      expect.arrayContaining([
        ...['signers.secret', 'notifications.signing_key', 'relayers.custom_rpc_urls'],
        ...['networks.rpc_urls', 'networks.private_rpc_urls'],
      ]),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(SEALED_COLUMNS)('$table.$column is a text column of a table with an id', ({ table, column }) => {
    const entity = dataSource.entityMetadatas.find(({ tableName }) => tableName === table);
    expect(entity?.primaryColumns.map(({ databaseName }) => databaseName)).toEqual(['id']);
    expect(entity?.columns.find(({ databaseName }) => databaseName === column)).toMatchObject({
      type: 'text',
    });
  });
});
