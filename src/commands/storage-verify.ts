import 'reflect-metadata';
import { StorageVerification } from '../stored-secrets/storage-verification';
import { noArguments } from './or-usage';
import { consoleOutput, runCommand } from './run-command';
import { assertMacs, withStorage } from './stored-records';

/** Checks every stored row and secret. The exit code is 1 if any was altered or cannot be decrypted. */
runCommand('Verification', (stop) => {
  noArguments('Usage: npm run storage:verify');
  return withStorage(async (storage) => {
    await assertMacs(storage);
    return new StorageVerification(storage.records.all, consoleOutput).run(stop);
  });
});
