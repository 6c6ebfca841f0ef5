import { setTimeout as sleep } from 'node:timers/promises';
import { getOrCreate } from '../common/get-or-create';
import type { CommandOutput } from '../common/command-output';
import { outdatedOf, recordsOf } from './records-of';
import { type RotatingRecords, UnusableRecordError } from './rotating-records';

const BATCH_SIZE = 100;
const MAX_NAMED = 100;
const ROWS_PER_LINE = 1000;
/** Lets the service write between two records: on SQLite, a writer polls for the lock and may miss short gaps. */
const PAUSE_MS = 1;
/**
 * A second pass finds records that were written with an old key during the first. More passes are only needed while
 * such writes continue.
 */
const MAX_PASSES = 20;

/** The progress of one kind of records. */
interface Progress {
  records: RotatingRecords;
  /** The number of records found by the check. */
  total: number;
  /** The number of those that need rotation. */
  pending: number;
  done: number;
}

/**
 * Rotates every stored secret and MAC to the first storage key, while the service runs.
 *
 * Nothing is changed until every record has been checked. Then each record is replaced in its own transaction, provided
 * that it has not changed since it was read: a concurrent change by the service wins. After a kill, each record is in
 * either the old form or the new, and the secrets of a row always match its MAC. Records identify their key, so another
 * run continues where the last one stopped.
 */
export class StorageRotation {
  /** @param kinds the records of all sealed columns and protected tables */
  constructor(
    private readonly kinds: readonly RotatingRecords[],
    private readonly output: CommandOutput,
  ) {}

  /**
   * @param signal stops it after the current record
   * @returns whether every record now has the first key
   */
  async run(signal: AbortSignal): Promise<boolean> {
    try {
      const kinds = await this.check(signal);
      return kinds !== undefined && (await this.rotate(kinds, signal));
    } catch (error) {
      if (error instanceof UnusableRecordError) this.output.printToStderr(error.message);
      else if (!signal.aborted || error !== signal.reason) throw error;
      this.output.printToStderr('Stopped before the end. Run it again to continue with the rest');
      return false;
    }
  }

  /** Checks every record; undefined if it has reported unusable records. */
  private async check(signal: AbortSignal): Promise<Progress[] | undefined> {
    const kinds: Progress[] = [];
    let unusable = 0;
    for (const records of this.kinds) {
      const progress = { records, total: 0, pending: 0, done: 0 };
      unusable += await this.checkKind(progress, signal);
      kinds.push(progress);
    }
    if (unusable === 0) return kinds;
    this.output.printToStderr(
      'Nothing was changed: STORAGE_ENCRYPTION_KEY must have the key of every record, and storage:verify must find no fault',
    );
    return undefined;
  }

  private async checkKind(progress: Progress, signal: AbortSignal): Promise<number> {
    const { records } = progress;
    /** Ids by fault. */
    const faults = new Map<string, string[]>();
    for await (const record of recordsOf((after) => records.after(after, BATCH_SIZE), signal)) {
      progress.total += 1;
      if (!records.isCurrent(record)) progress.pending += 1;
      const fault = records.faultOf(record);
      if (fault === undefined) continue;
      getOrCreate(faults, fault, () => []).push(record.id);
    }
    for (const [fault, ids] of faults) {
      const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : '';
      const named = ids.slice(0, MAX_NAMED).join(', ');
      this.output.printToStderr(
        `${records.name}: ${ids.length} of ${progress.total} ${fault}: ${named}${more}`,
      );
    }
    return [...faults.values()].reduce((sum, ids) => sum + ids.length, 0);
  }

  private async rotate(kinds: Progress[], signal: AbortSignal): Promise<boolean> {
    const total = kinds.reduce((sum, kind) => sum + kind.total, 0);
    const pending = kinds.reduce((sum, kind) => sum + kind.pending, 0);
    this.output.print(`Each of the ${total} records can be used, ${pending} need rotation`);
    for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
      let found = 0;
      for (const kind of kinds) found += await this.rotateKind(kind, signal, pass === 1 && pending > 0);
      if (found === 0) {
        this.output.print('Each of these records uses the first storage key');
        return true;
      }
    }
    this.output.printToStderr(
      'Records are still being written with an older key: some instance lists another key first. Run the command again once none does',
    );
    return false;
  }

  /** Rotates the records under other keys. @returns how many it found */
  private async rotateKind(progress: Progress, signal: AbortSignal, alwaysReports: boolean): Promise<number> {
    const { records } = progress;
    let found = 0;
    for await (const record of outdatedOf(records, BATCH_SIZE, signal)) {
      found += 1;
      // A record that was not replaced has changed meanwhile, and the next pass checks it again.
      if (await records.renew(record)) progress.done += 1;
      if (found % ROWS_PER_LINE === 0) this.report(progress);
      await sleep(PAUSE_MS);
    }
    if (alwaysReports || found > 0) this.report(progress, true);
    return found;
  }

  private report({ records, pending, done }: Progress, complete = false): void {
    const rest = complete && done < pending ? `, the others were changed or deleted meanwhile` : '';
    this.output.print(`${records.name}: ${done} of ${Math.max(pending, done)} rotated${rest}`);
  }
}
