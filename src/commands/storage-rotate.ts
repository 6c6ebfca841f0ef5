import 'reflect-metadata';
import { consoleOutput, runCommand } from './run-command';
import { assertMacs, withStorage } from './stored-records';
import { StorageRotation } from '../stored-secrets/storage-rotation';

/** Rotates stored secrets and MACs to the first key of `STORAGE_ENCRYPTION_KEY`; the exit code is 1 if any is left. */
runCommand('Rotation', (stop) =>
  withStorage(async (storage) => {
    await assertMacs(storage);
    return new StorageRotation(storage.records.all, consoleOutput).run(stop);
  }),
);
