import { setTimeout as sleep } from 'node:timers/promises';
import { type SealedColumn, type SecretCipher, SecretUnreadableError } from '../common/secrets/secret-cipher';
import type { UnitOfWork } from '../database/unit-of-work';
import { type SealedRecord, SealedRecords } from './sealed-records';

const BATCH_SIZE = 100;
const MAX_NAMED = 100;
const ROWS_PER_LINE = 1000;
/** Lets the service write between two records: on SQLite it blocks while it waits, and may miss many short gaps. */
const PAUSE_MS = 1;
/** A second pass finds what somebody wrote with an old key during the first; it never ends only where they go on. */
const MAX_PASSES = 20;

/** Where the rotation tells what it does; neither ever gets a secret. */
export interface RotationOutput {
  say: (line: string) => void;
  complain: (line: string) => void;
}

/** How far one column is. */
interface Progress {
  column: SealedColumn;
  records: SealedRecords;
  /** What the check found. */
  total: number;
  /** What of it the check found to re-encrypt. */
  pending: number;
  done: number;
}

/**
 * Encrypts every stored secret with the first storage key, while the service runs.
 *
 * Nothing is changed before every secret has been opened once. Then each record is replaced on the condition that it
 * still is what was read, and committed by itself: a change that the service makes meanwhile wins, and a process that
 * is killed leaves each record in the old form or the new. Records name their key, so running it again goes on where
 * it stopped.
 */
export class StorageRotation {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly cipher: SecretCipher,
    private readonly output: RotationOutput,
  ) {}

  /**
   * @param signal stops it after the current record
   * @returns whether every secret is encrypted with the first key now
   */
  async run(signal: AbortSignal): Promise<boolean> {
    try {
      const columns = await this.check(signal);
      return columns !== undefined && (await this.rotate(columns, signal));
    } catch (error) {
      if (error instanceof SecretUnreadableError) this.output.complain(error.message);
      else if (!signal.aborted || error !== signal.reason) throw error;
      this.output.complain('Stopped before the end. Run it again to go on: what is re-encrypted stays so');
      return false;
    }
  }

  /** Opens every secret; undefined after it has named those that do not open. */
  private async check(signal: AbortSignal): Promise<Progress[] | undefined> {
    const columns: Progress[] = [];
    let unreadable = 0;
    for (const column of this.cipher.columns) {
      const progress = {
        column,
        records: new SealedRecords(this.unitOfWork, column),
        total: 0,
        pending: 0,
        done: 0,
      };
      unreadable += await this.checkColumn(progress, signal);
      columns.push(progress);
    }
    if (unreadable === 0) return columns;
    this.output.complain('Nothing was changed: STORAGE_ENCRYPTION_KEY must have the key of every secret');
    return undefined;
  }

  private async checkColumn(progress: Progress, signal: AbortSignal): Promise<number> {
    const named: string[] = [];
    let unreadable = 0;
    const batches = recordsOf((after) => progress.records.after(after, BATCH_SIZE), signal);
    for await (const { place, sealed } of batches) {
      progress.total += 1;
      if (!sealed.startsWith(this.cipher.recordPrefixes[0])) progress.pending += 1;
      if (this.opens({ place, sealed })) continue;
      unreadable += 1;
      if (named.length < MAX_NAMED) named.push(place.row);
    }
    if (unreadable > 0) {
      const more = unreadable > named.length ? ` and ${unreadable - named.length} more` : '';
      this.output.complain(
        `${nameOf(progress.column)}: ${unreadable} of ${progress.total} cannot be decrypted with the storage keys: ${named.join(', ')}${more}`,
      );
    }
    return unreadable;
  }

  private opens({ place, sealed }: SealedRecord): boolean {
    try {
      this.cipher.open(sealed, place);
      return true;
    } catch (error) {
      if (error instanceof SecretUnreadableError) return false;
      throw error;
    }
  }

  private async rotate(columns: Progress[], signal: AbortSignal): Promise<boolean> {
    const total = columns.reduce((sum, column) => sum + column.total, 0);
    const pending = columns.reduce((sum, column) => sum + column.pending, 0);
    if (this.cipher.recordPrefixes.length === 1) {
      this.output.say(`There is one storage key, and each of the ${total} secrets is encrypted with it`);
      return true;
    }
    this.output.say(`Each of the ${total} secrets can be decrypted, ${pending} are to be re-encrypted`);
    for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
      let found = 0;
      for (const column of columns) found += await this.rotateColumn(column, signal, pass === 1);
      if (found === 0) {
        this.output.say('Every secret is encrypted with the first storage key');
        return true;
      }
    }
    this.output.complain(
      'Secrets of an older key keep coming: an instance has another key in front. Run it again once none has',
    );
    return false;
  }

  /** Re-encrypts what is not of the first key, and gives how many such records it saw. */
  private async rotateColumn(progress: Progress, signal: AbortSignal, firstPass: boolean): Promise<number> {
    const [newest] = this.cipher.recordPrefixes;
    let found = 0;
    const batches = recordsOf(
      (after) => progress.records.withoutPrefixAfter(newest, after, BATCH_SIZE),
      signal,
    );
    for await (const record of batches) {
      found += 1;
      const secret = this.cipher.open(record.sealed, record.place);
      // Where it was not replaced, somebody changed it, and the next pass looks at it again.
      if (await progress.records.replace(record, this.cipher.seal(secret, record.place))) progress.done += 1;
      if (found % ROWS_PER_LINE === 0) this.tell(progress);
      await sleep(PAUSE_MS);
    }
    if (firstPass || found > 0) this.tell(progress, true);
    return found;
  }

  private tell({ column, pending, done }: Progress, complete = false): void {
    const note = complete && done < pending ? `, the others were changed or deleted meanwhile` : '';
    this.output.say(`${nameOf(column)}: ${done} of ${Math.max(pending, done)} re-encrypted${note}`);
  }
}

/** Every record in the order of the ids, a batch in memory at a time; throws the signal's reason once it is aborted. */
async function* recordsOf(
  read: (after: string) => Promise<SealedRecord[]>,
  signal: AbortSignal,
): AsyncGenerator<SealedRecord> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const batch: SealedRecord[] = await read(after);
    for (const record of batch) {
      signal.throwIfAborted();
      yield record;
    }
    after = batch.at(-1)?.place.row;
  }
  signal.throwIfAborted();
}

function nameOf({ table, column }: SealedColumn): string {
  return `${table}.${column}`;
}
