import 'reflect-metadata';
import { rotateStorageKeys } from './rotate-storage-keys';
import { runCommand } from './run-command';

/** Rotates stored secrets and MACs to the first key of `STORAGE_ENCRYPTION_KEY`; the exit code is 1 if any is left. */
runCommand('Rotation', (stop) => rotateStorageKeys({}, stop));
