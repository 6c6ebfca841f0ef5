import type { RelayerServiceOptions } from '../app/create-relayer-service';
import { StorageRotation } from '../stored-secrets/storage-rotation';
import { consoleOutput } from './run-command';
import { assertMacs, reportUnloadedPlugins, withStorage } from './stored-records';

/**
 * Encrypts all stored secrets, including those of plugins, with the first key in `STORAGE_ENCRYPTION_KEY`, and renews
 * the MACs of rows. It prints what it has done and what is left. It may run while the service is running.
 *
 * @param stop ends it early; it must then be run again
 * @returns whether nothing is left; false also if the database was used with plugins that are not among `modules`
 * @throws ConfigurationError if settings or plugins are invalid
 * @public
 */
export const rotateStorageKeys = (
  options: RelayerServiceOptions = {},
  stop: AbortSignal = new AbortController().signal,
): Promise<boolean> =>
  withStorage(async (storage) => {
    await assertMacs(storage);
    const isRotated = await new StorageRotation(storage.records.all, consoleOutput).run(stop);
    const areLeftOut = await reportUnloadedPlugins(storage);
    return isRotated && !areLeftOut;
  }, options);
