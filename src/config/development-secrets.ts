import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createFolder } from '../common/create-folder';
import { errorCodeOf } from '../common/errors/error-cause';
import { Secret } from '../common/secrets/secret';

/** The folder in which a service without settings stores its database and keys, below the working directory. */
export const DATA_DIRECTORY = 'data';

/**
 * A key of 32 random bytes (base64) that is generated at the first start and saved in `data/`, readable only by its
 * owner. Processes that start at the same time get the same key. Never called in production.
 */
export function generatedKey(name: string, directory = DATA_DIRECTORY): Secret {
  const file = join(directory, name);
  return new Secret(readIfExists(file) ?? generate(file, directory));
}

/** The absolute path of a generated key. */
export const generatedKeyFile = (name: string): string => resolve(DATA_DIRECTORY, name);

function generate(file: string, directory: string): string {
  createFolder(directory, 0o700);
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    // A link is created atomically, and fails if another process was first.
    linkSync(draft, file);
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, 'utf8').trim();
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
