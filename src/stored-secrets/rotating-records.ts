import type { IdRange } from './id-ranges';

/** Records that identify their storage key: the secrets of one column, or the rows of one protected table. */
export interface RotatingRecords<R extends { id: string } = { id: string }> {
  /** For example `relayers` or `things.code`. */
  readonly name: string;
  /** The next records, in the order of their ids. */
  after(id: string, limit: number): Promise<R[]>;
  /** All records, in ranges that one statement can read. */
  ranges(): AsyncGenerator<IdRange, void>;
  /** The first records of a range whose key is not the first storage key. */
  outdatedIn(range: IdRange, limit: number): Promise<R[]>;
  isCurrent(record: R): boolean;
  /** What is wrong with a record, completing "it …"; undefined if it is usable. */
  faultOf(record: R): string | undefined;
  /**
   * Replaces a record with one under the first storage key, unless it was changed since it was read.
   *
   * @returns whether it was replaced
   * @throws UnusableRecordError if the record has a fault
   */
  renew(record: R): Promise<boolean>;
}

/** A record that cannot be read, or must not be trusted. */
export class UnusableRecordError extends Error {
  constructor(name: string, id: string, fault: string) {
    super(`${name} ${id}: it ${fault}`);
    this.name = 'UnusableRecordError';
  }
}
