import 'reflect-metadata';
import { noArguments } from './or-usage';
import { rotateStorageKeys } from './rotate-storage-keys';
import { runCommand } from './run-command';

/** Rotates stored secrets and MACs to the first key in `STORAGE_ENCRYPTION_KEY`. The exit code is 1 if any are left. */
runCommand('Rotation', (stop) => {
  noArguments('Usage: npm run storage:rotate');
  return rotateStorageKeys({}, stop);
});
