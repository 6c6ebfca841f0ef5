import type { TableColumnOptions, TableForeignKeyOptions } from 'typeorm';

/** What happens to a plugin's rows when the relayer that they refer to is deleted. */
export type OnRelayerDeletion =
  /** The rows are deleted along with it. */
  | 'delete-rows'
  /** The rows are kept, but no longer refer to it; their column is `{ ...relayerIdColumn, isNullable: true }`. */
  | 'forget-relayer'
  /** As long as there are such rows, the relayer cannot be deleted: 409 `Relayer is in use`. */
  | 'block';

const ACTIONS: Readonly<Record<OnRelayerDeletion, string>> = {
  'delete-rows': 'CASCADE',
  'forget-relayer': 'SET NULL',
  block: 'RESTRICT',
};

/**
 * A column that contains the id of a relayer, for {@link createTable}, with the type that the foreign key requires.
 *
 * @public
 */
export const relayerIdColumn: TableColumnOptions = { name: 'relayer_id', type: 'varchar', length: '36' };

/**
 * The foreign key of the column `relayer_id` in a plugin's table, for the `foreignKeys` of {@link createTable}. A table
 * without one keeps the ids of deleted relayers.
 *
 * @public
 */
export const relayerReference = (
  table: string,
  onRelayerDeletion: OnRelayerDeletion,
): TableForeignKeyOptions => ({
  name: `fk_${table}_relayer`,
  columnNames: ['relayer_id'],
  referencedTableName: 'relayers',
  referencedColumnNames: ['id'],
  onDelete: ACTIONS[onRelayerDeletion],
  onUpdate: 'RESTRICT',
});
