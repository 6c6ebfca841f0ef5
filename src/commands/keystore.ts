import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createFolder } from '../common/create-folder';
import { errorCodeOf } from '../common/errors/error-cause';
import { ConfigurationError } from '../config/configuration-error';
import { newKeystore } from '../signers/kinds/keystore/new-keystore';
import { readArguments } from './arguments';
import { readPassphrase } from './passphrase';
import { consoleOutput, runCommand } from './run-command';

const USAGE = 'Usage: npm run keystore -- create <file>';

/** `create <file>`: writes a new key to an encrypted keystore that only its owner can read, and prints its address. */
async function keystore(): Promise<boolean> {
  const [action, file, ...rest] = readArguments(USAGE, { allowPositionals: true }).positionals;
  if (action !== 'create' || file === undefined || rest.length > 0) throw new ConfigurationError([USAGE]);
  if (existsSync(file)) throw alreadyThere(file);
  const { address, json } = await newKeystore(await readPassphrase());
  createFile(file, `${json}\n`);
  consoleOutput.print(`Created ${file} with a new key for ${address}`);
  return true;
}

/** Does not overwrite a file that was created meanwhile either: the key in it would be lost. */
function createFile(file: string, text: string): void {
  try {
    createFolder(dirname(file), 0o700);
    writeNew(file, text);
  } catch (error) {
    const code = errorCodeOf(error);
    // The same code is used if a part of the path is not a folder.
    throw code === 'EEXIST' && existsSync(file)
      ? alreadyThere(file)
      : new ConfigurationError([`${file} cannot be created: ${code ?? 'unknown error'}`]);
  }
}

/** Leaves no part of a file: another attempt would not overwrite it. The key is on the disk before it is announced. */
function writeNew(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text, { flush: true });
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

const alreadyThere = (file: string): ConfigurationError =>
  new ConfigurationError([`${file} exists and is not overwritten`]);

runCommand('Keystore', USAGE, keystore);
