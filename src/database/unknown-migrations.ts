import type { DataSource } from 'typeorm';
import { ConfigurationError } from '../config/configuration-error';
import { withSession } from './with-session';

/** The owner of migrations, and the table that records them. */
interface MigrationRecord {
  readonly owner: string;
  readonly table: string;
}

/** The record of the service itself. */
export const SERVICE_MIGRATIONS: MigrationRecord = { owner: 'the service', table: 'migrations' };

/**
 * Refuses a database that a newer version has migrated: this version does not know what the newer one stores there.
 *
 * @throws ConfigurationError naming the newest unknown migration
 */
export const refuseNewerSchema = (dataSource: DataSource, { owner, table }: MigrationRecord): Promise<void> =>
  withSession(dataSource, async (session) => {
    if (!(await session.hasTable(table))) return;
    const applied = (await session.query(`SELECT name FROM ${table} ORDER BY id`)) as { name: string }[];
    const known = new Set(
      dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name),
    );
    const unknown = applied.filter(({ name }) => !known.has(name)).at(-1);
    if (unknown)
      throw new ConfigurationError([
        `The database was migrated by a newer version of ${owner} (migration ${unknown.name}): start that version, or restore the backup from before the upgrade`,
      ]);
  });
