import 'reflect-metadata';
import { noArguments } from './arguments';
import { rotateStorageKeys } from './rotate-storage-keys';
import { runCommand } from './run-command';

const USAGE = 'Usage: npm run storage:rotate';

/**
 * Rotates stored secrets and MACs to the first key in `STORAGE_ENCRYPTION_KEY`. The exit code is 1 if any are left, or
 * if there may be others, of plugins.
 */
runCommand('Rotation', USAGE, (stop) => {
  noArguments(USAGE);
  return rotateStorageKeys({}, stop);
});
