import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Logger } from '@nestjs/common';
import { createFolder } from '../../../common/create-folder';
import { errorCodeOf } from '../../../common/errors/error-cause';

const OWNER_ONLY = 0o600;
const FOLDER_OF_OWNER = 0o700;
/** SQLite creates the files beside the database with the same mode. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'];

/**
 * Makes the files of a SQLite database readable only by their owner. A missing database is created empty, so that it is
 * never readable by others, with a warning, because its path may be wrong; a missing folder is created for the owner
 * only.
 *
 * @param file as passed to SQLite; nothing happens for an in-memory database
 */
export function restrictSqliteFiles(file: string): void {
  if (file === '' || file.startsWith(':memory:')) return;
  createFolder(dirname(file), FOLDER_OF_OWNER);
  if (create(file)) new Logger('SqliteFiles').warn('New database created', { file: resolve(file) });
  for (const suffix of SUFFIXES) restrict(file + suffix);
}

/**
 * Does not open an existing file: closing it would release the locks of all connections that this process has to it.
 *
 * @returns false if the file exists
 */
function create(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
    return true;
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
    return false;
  }
}

/**
 * Files of another owner, or on a file system without modes, are left unchanged, with a warning. So is a folder that
 * was given by mistake: it would become unusable.
 */
function restrict(file: string): void {
  try {
    if (statSync(file).isFile()) chmodSync(file, OWNER_ONLY);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'ENOENT') return;
    new Logger('SqliteFiles').warn('A database file cannot be restricted to its owner', {
      file,
      cause: code,
    });
  }
}
