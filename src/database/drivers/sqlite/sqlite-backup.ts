import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DataSource } from 'typeorm';

const OWNER_ONLY = 0o600;

/**
 * Copies the database, as of one moment, to a new file that only its owner can read. Others can use the database
 * meanwhile. When it resolves, the copy is on disk.
 *
 * @returns the path of the new file
 * @throws Error with the code `EEXIST` if the file exists, or another one if it cannot be written, which then leaves no
 * file
 */
export async function backUpSqlite(dataSource: DataSource, name: string): Promise<string> {
  // SQLite takes some relative names for something else than a file.
  const file = resolve(name);
  closeSync(openSync(file, 'wx', OWNER_ONLY));
  try {
    await dataSource.query('VACUUM INTO ?', [file]);
    // SQLite leaves this to the caller.
    for (const path of [file, dirname(file)]) sync(path);
    return file;
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
