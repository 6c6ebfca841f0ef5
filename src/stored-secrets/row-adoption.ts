import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { RowMacs } from '../secrets/row-macs';
import { SecretCipher } from '../secrets/secret-cipher';
import type { AppConfig } from '../config/app-config';
import { ConfigurationError } from '../config/configuration-error';
import { UnitOfWork } from '../database/unit-of-work';
import { RowSealing, type Sealing } from './row-sealing';
import { StorageKeyCheck } from './storage-key-check';
import { StoredRecords } from './stored-records';
import type { StoredTable } from './stored-table';

/** What tells whether a table has rows, and rows with a MAC. */
type RowPresence = Pick<StoredTable, 'hasMacs' | 'isEmpty'>;

/** The command for a database that a version without MACs has written. */
const RESEAL_ALL = 'npm run storage:reseal -- --all';

/**
 * Checks at startup, before any row is used, that the storage keys are those of the database, and whether a version
 * without MACs has written it. This is an init hook because background work begins in bootstrap hooks, which Nest calls
 * after all init hooks.
 *
 * In production the service never adopts such rows by itself: an attacker with write access to the database could
 * remove the MACs of altered rows and wait for a restart. In other environments, rows are adopted if none of them has a
 * MAC; if only some have one, the others were altered.
 */
@Injectable()
export class RowAdoption implements OnModuleInit {
  private readonly logger = new Logger(RowAdoption.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly cipher: SecretCipher,
    private readonly macs: RowMacs,
    private readonly config: ConfigService<AppConfig, true>,
    private readonly storageKeyCheck: StorageKeyCheck,
  ) {}

  /** @throws ConfigurationError if a storage key is missing; in production also if there are rows and none has a MAC */
  async onModuleInit(): Promise<void> {
    const { tables } = new StoredRecords(this.unitOfWork, this.cipher, this.macs);
    const isOld = await isWithoutMacs(tables);
    if (isOld && this.config.get('production', { infer: true })) {
      throw new ConfigurationError([
        `The database is of a version without MACs on its rows, or they were removed. If it was just upgraded, run ${RESEAL_ALL} once`,
      ]);
    }
    // Before the adoption: with wrong keys, rows without secrets would get MACs that the right keys do not match.
    await this.storageKeyCheck.verify();
    if (isOld) await this.adopt(new RowSealing(this.unitOfWork, tables));
  }

  /**
   * Uses a single transaction: after an interruption no row has a MAC. If only some had one, the others would count as
   * altered.
   */
  private async adopt(sealing: RowSealing): Promise<void> {
    const sealings = await this.unitOfWork.run(async () => {
      const done: Sealing[] = [];
      for await (const each of sealing.unsealed()) done.push(each);
      return done;
    });
    const failed = sealings.filter(({ fault }) => fault !== undefined);
    for (const { table, row, fault } of failed)
      this.logger.error('A stored row cannot be adopted and is not used', {
        table: table.name,
        id: row.id,
        cause: `it ${fault}`,
      });
    this.logger.warn('Stored rows without a MAC were given one', {
      rows: sealings.length - failed.length,
    });
  }
}

/**
 * Whether there are rows, and none has a MAC. It reads each table up to its first MAC.
 *
 * MACs are looked for after rows: another instance may insert rows, with their MACs, at the same time.
 */
export async function isWithoutMacs(tables: readonly RowPresence[]): Promise<boolean> {
  if (!(await hasRows(tables))) return false;
  for (const table of tables) if (await table.hasMacs()) return false;
  // The rows that were found may have been deleted since.
  return hasRows(tables);
}

async function hasRows(tables: readonly RowPresence[]): Promise<boolean> {
  for (const table of tables) if (!(await table.isEmpty())) return true;
  return false;
}
