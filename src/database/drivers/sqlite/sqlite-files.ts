import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { Logger } from '@nestjs/common';
import { errorCodeOf } from '../../../common/errors/error-cause';

const OWNER_ONLY = 0o600;
const FOLDER_OF_OWNER = 0o700;
/** SQLite gives the files that it creates beside the database the same mode. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'];

/**
 * Makes the files of a SQLite database readable by their owner alone, wherever they are; creates the database empty where
 * there is none, so that at no moment it is readable by others. A folder that is missing is created for the owner alone.
 *
 * @param file as SQLite takes it; nothing happens for a database in memory
 */
export function restrictSqliteFiles(file: string): void {
  if (file === '' || file.startsWith(':memory:')) return;
  mkdirSync(dirname(file), { recursive: true, mode: FOLDER_OF_OWNER });
  create(file);
  for (const suffix of SUFFIXES) restrict(file + suffix);
}

/** A file that is there is not opened: closing it again would release the locks of every connection of this process to it. */
function create(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
  }
}

/** Files of somebody else, or on a file system without modes, stay as they are; the log says so. */
function restrict(file: string): void {
  try {
    chmodSync(file, OWNER_ONLY);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'ENOENT') return;
    new Logger('SqliteFiles').warn('A database file cannot be made readable by its owner alone', {
      file,
      cause: code,
    });
  }
}
