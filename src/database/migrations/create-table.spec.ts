import type { QueryRunner } from 'typeorm';
import { relayerIdColumn, relayerReference } from '../../plugins/relayer-reference';
import { createTable } from './create-table';

describe('createTable', () => {
  const create = async (isNullable: boolean): Promise<string[]> => {
    const created: string[] = [];
    const queryRunner = {
      dataSource: { options: { type: 'mysql' } },
      createTable: ({ name }: { name: string }) => {
        created.push(name);
        return Promise.resolve();
      },
    } as unknown as QueryRunner;
    await createTable(queryRunner, {
      name: 'acme_notes',
      columns: [{ ...relayerIdColumn, isNullable }],
      foreignKeys: [relayerReference('acme_notes', 'forget-relayer')],
    });
    return created;
  };

  it('refuses a column that a foreign key cannot set to null', async () => {
    await expect(create(false)).rejects.toThrow(
      'The column relayer_id of the table acme_notes must be nullable, because a foreign key sets it to null',
    );
    expect(await create(true)).toEqual(['acme_notes']);
  });
});
