import type { UnitOfWork } from '../database/unit-of-work';
import { migrationsTableOf } from './plugin-names';

const PREFIX = migrationsTableOf('');

/**
 * The tables of migrations, such as `migrations_acme`, of plugins that the database was used with and that are not
 * loaded. A plugin without migrations leaves no such table.
 *
 * @param loaded the names of the loaded plugins
 */
export async function tablesOfUnloadedPlugins(
  { manager }: UnitOfWork,
  loaded: readonly string[],
): Promise<string[]> {
  const isSqlite = manager.dataSource.options.type === 'better-sqlite3';
  const tables = isSqlite
    ? "SELECT name FROM sqlite_master WHERE type = 'table'"
    : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()';
  const rows = await manager.query<{ name: string }[]>(tables);
  const explained = new Set(loaded.map(migrationsTableOf));
  return rows
    .map(({ name }) => name)
    .filter((name) => name.startsWith(PREFIX) && !explained.has(name))
    .sort();
}
