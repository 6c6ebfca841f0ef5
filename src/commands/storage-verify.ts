import 'reflect-metadata';
import { StorageVerification } from '../stored-secrets/storage-verification';
import { noArguments } from './arguments';
import { consoleOutput, runCommand } from './run-command';
import { assertMacs, reportUnloadedPlugins, withStorage } from './stored-records';

const USAGE = 'Usage: npm run storage:verify';

/**
 * Checks every stored row and secret, except those of plugins, and says so if there are any. The exit code is 1 if any
 * was altered or cannot be decrypted.
 */
runCommand('Verification', USAGE, (stop) => {
  noArguments(USAGE);
  return withStorage(async (storage) => {
    await assertMacs(storage);
    await reportUnloadedPlugins(storage);
    return new StorageVerification(storage.records.all, consoleOutput).run(stop);
  });
});
