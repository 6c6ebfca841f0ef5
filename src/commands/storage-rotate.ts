import 'reflect-metadata';
import { consoleOutput, runCommand } from './run-command';
import { requireMacs, withStorage } from './stored-records';
import { StorageRotation } from '../stored-secrets/storage-rotation';

/** Brings stored secrets and MACs under the first key of `STORAGE_ENCRYPTION_KEY`; the exit code is 1 where any is left. */
runCommand('Rotation', (stop) =>
  withStorage(async (storage) => {
    await requireMacs(storage);
    return new StorageRotation(storage.records.all, consoleOutput).run(stop);
  }),
);
