import 'reflect-metadata';
import { changesOf } from '../audit/changed-fields';
import { ConfigurationError } from '../config/configuration-error';
import { migrate } from '../database/migrate';
import { RowSealing } from '../stored-secrets/row-sealing';
import { StorageKeyCheck } from '../stored-secrets/storage-key-check';
import { StorageResealing } from '../stored-secrets/storage-resealing';
import type { NamedRow } from '../stored-secrets/stored-table';
import { consoleOutput, runCommand } from './run-command';
import { shellAudit } from './shell-audit';
import { assertMacs, withStorage } from './stored-records';

const USAGE =
  'Usage: npm run storage:reseal -- <table>:<id> … for rows that were changed on purpose, or --all after an upgrade';

/** Computes the MACs of rows for their current content. The exit code is 1 if this failed for any row. */
runCommand('Resealing', USAGE, () => {
  const args = process.argv.slice(2);
  const isAll = args.length === 1 && args[0] === '--all';
  const named = isAll ? [] : args.map(parseRow);
  if (!isAll && named.length === 0) throw new ConfigurationError([USAGE]);
  return withStorage(async (storage) => {
    if (isAll) await migrate(storage.dataSource);
    else await assertMacs(storage);
    const { tables } = storage.records;
    const names = tables.map(({ name }) => name);
    const unknown = named.find(({ table }) => !names.includes(table));
    if (unknown) throw new ConfigurationError([`${unknown.table} is none of the tables ${names.join(', ')}`]);
    // With a wrong key, the service could no longer use the rows. The MACs of the named rows may name any key, and
    // --all reports single rows of another key.
    const check = new StorageKeyCheck(storage.unitOfWork, storage.cipher, storage.macs);
    await (isAll ? check.verifyAny() : check.verify(named));
    const record = shellAudit(storage);
    const sealing = new RowSealing(storage.unitOfWork, tables, ({ name }, { id }) =>
      record({ action: 'row.reseal', changes: changesOf(id, null, { table: name }) }),
    );
    const resealing = new StorageResealing(tables, sealing, consoleOutput);
    return isAll ? resealing.all() : resealing.rows(named);
  });
});

/** Only the first colon separates, because ids of networks contain one too. */
function parseRow(text: string): NamedRow {
  const [, table, id] = /^([a-z_]+):(.+)$/.exec(text) ?? [];
  if (table === undefined || id === undefined) throw new ConfigurationError([USAGE]);
  return { table, id };
}
