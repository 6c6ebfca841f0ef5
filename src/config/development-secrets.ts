import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodeOf } from '../common/errors/error-cause';
import { Secret } from '../common/secrets/secret';

/** Where a service without settings keeps its database and its keys, below the working directory. */
export const DATA_DIRECTORY = 'data';

/**
 * A key of 32 random bytes (base64) that is made at the first start and kept in `data/`, readable by its owner
 * alone. Two processes that start at once end with the same key. Never called in production.
 */
export function madeOnce(name: string, directory = DATA_DIRECTORY): Secret {
  const file = join(directory, name);
  return new Secret(readIfThere(file) ?? make(file, directory));
}

function make(file: string, directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    // A link appears whole or not at all, and fails where another process was first.
    linkSync(draft, file);
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, 'utf8').trim();
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
