import { type BigIntStats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Logger } from '@nestjs/common';
import { type DomainError, unavailable } from '../../../common/errors/domain-error';

const RECENT_MS = 100;

/**
 * The file that a connection has opened. SQLite reports no error if the file is deleted or another one takes its place:
 * it goes on with the open file, whose content is lost when the process ends.
 */
export class OpenedFile {
  /** Absolute, so that a change of the working directory makes no difference. */
  private readonly path: string;
  private opened: BigIntStats | undefined;
  private isMissing = false;
  /** The time of the last check, on the clock of `performance.now()`, and its failure. */
  private checkedAt = -Infinity;
  private failure: DomainError | undefined;

  constructor(file: string) {
    this.path = resolve(file);
  }

  /** Remembers which file is at the path. Must be called when the connection has opened it. */
  remember(): void {
    this.opened = this.found();
  }

  /**
   * Takes about 2 µs. An in-memory database has no file, and always passes.
   *
   * @throws DomainError `unavailable` if the opened file is no longer at its path
   */
  assertInPlace(): void {
    this.failure = this.check();
    this.checkedAt = performance.now();
    if (this.failure) throw this.failure;
  }

  /**
   * Like {@link assertInPlace}, but the last check counts for 100 ms. For reads: what they return then is at most as old.
   *
   * @throws DomainError `unavailable`
   */
  assertRecentlyInPlace(): void {
    if (performance.now() - this.checkedAt >= RECENT_MS) this.assertInPlace();
    else if (this.failure) throw this.failure;
  }

  private check(): DomainError | undefined {
    const isInPlace = !this.opened || this.isInPlace(this.opened);
    if (isInPlace === this.isMissing) this.reportChange();
    if (isInPlace) return undefined;
    const detail = 'the database is unavailable: its file was deleted or replaced';
    return unavailable(detail);
  }

  private reportChange(): void {
    this.isMissing = !this.isMissing;
    const logger = new Logger('SqliteFiles');
    const fields = { file: this.path };
    if (this.isMissing)
      logger.error(
        'The database file was deleted or replaced: nothing is read or stored until it is back, or until a restart',
        fields,
      );
    else logger.warn('The database file is back', fields);
  }

  private isInPlace(opened: BigIntStats): boolean {
    try {
      const found = this.found();
      return found?.ino === opened.ino && found.dev === opened.dev;
    } catch {
      // For example, the folder may not be searched any more: the file may be there, and SQLite still has it.
      return true;
    }
  }

  /** Undefined if there is no file. */
  private found(): BigIntStats | undefined {
    return statSync(this.path, { bigint: true, throwIfNoEntry: false });
  }
}
