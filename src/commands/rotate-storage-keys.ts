import type { RelayerServiceOptions } from '../app/create-relayer-service';
import { StorageRotation } from '../stored-secrets/storage-rotation';
import { consoleOutput } from './run-command';
import { assertMacs, withStorage } from './stored-records';

/**
 * Encrypts all stored secrets with the first key of `STORAGE_ENCRYPTION_KEY`, those of plugins too, and renews the MACs of rows. What
 * was done and what was left is printed. It may run beside the service.
 *
 * @param stop ends it early; it can be repeated
 * @returns whether nothing is left
 * @throws ConfigurationError where settings or plugins are not valid
 * @public
 */
export const rotateStorageKeys = (
  options: RelayerServiceOptions = {},
  stop: AbortSignal = new AbortController().signal,
): Promise<boolean> =>
  withStorage(async (storage) => {
    await assertMacs(storage);
    return new StorageRotation(storage.records.all, consoleOutput).run(stop);
  }, options);
