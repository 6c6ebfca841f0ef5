import type { CommandOutput } from '../common/command-output';
import { recordsOf } from './records-of';
import type { RotatingRecords } from './rotating-records';
import { STORAGE_KEY_REMEDY } from './storage-key-check';
import { UNKNOWN_KEY_FAULT } from './stored-table';

const BATCH_SIZE = 100;

/** Checks every MAC and decrypts every secret, without changing anything. */
export class StorageVerification {
  constructor(
    private readonly kinds: readonly RotatingRecords[],
    private readonly output: CommandOutput,
  ) {}

  /**
   * Prints a line for each record that cannot be used, and then what to do if a storage key is missing.
   *
   * @param signal aborts the run, which then throws its reason
   * @returns whether all records can be used
   */
  async run(signal: AbortSignal): Promise<boolean> {
    let total = 0;
    let faults = 0;
    let lacksKey = false;
    for (const records of this.kinds) {
      for await (const record of recordsOf((after) => records.after(after, BATCH_SIZE), signal)) {
        total += 1;
        const fault = records.faultOf(record);
        if (fault === undefined) continue;
        faults += 1;
        lacksKey ||= fault === UNKNOWN_KEY_FAULT;
        this.output.printToStderr(`${records.name} ${record.id}: it ${fault}`);
      }
    }
    this.output.print(
      `${total} records checked, ${faults === 0 ? 'all can be used' : `${faults} cannot be used`}`,
    );
    if (lacksKey) this.output.printToStderr(STORAGE_KEY_REMEDY);
    return faults === 0;
  }
}
