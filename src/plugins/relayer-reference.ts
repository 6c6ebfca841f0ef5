import type { TableColumnOptions, TableForeignKeyOptions } from 'typeorm';

/** What happens to the rows of a plugin when the relayer that they name is deleted. */
export type OnRelayerDeletion =
  /** The rows are deleted with it. */
  | 'delete-rows'
  /** The rows stay, and no longer name it; their column must be nullable. */
  | 'forget-relayer'
  /** As long as there are such rows the relayer cannot be deleted: 409 `Relayer is in use`. */
  | 'block';

const ACTIONS: Readonly<Record<OnRelayerDeletion, string>> = {
  'delete-rows': 'CASCADE',
  'forget-relayer': 'SET NULL',
  block: 'RESTRICT',
};

/**
 * A column that holds the id of a relayer, for {@link createTable}, in the form that a foreign key needs.
 *
 * @public
 */
export const relayerIdColumn: TableColumnOptions = { name: 'relayer_id', type: 'varchar', length: '36' };

/**
 * The foreign key of the column `relayer_id` of a plugin's table, for the `foreignKeys` of {@link createTable}. A table without one keeps
 * the id of a relayer that is gone.
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
