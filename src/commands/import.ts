import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { STORED_CONTENT } from '../app/stored-content';
import { ServiceLogger } from '../common/logging/service-logger';
import { secretsOf } from '../config/app-config';
import { ConfigurationError } from '../config/configuration-error';
import { processEnvironment } from '../config/env-file';
import { readConfig } from '../config/environment';
import { forgetUnverifiedTls } from '../config/forget-variables';
import { useNoProxies } from '../config/no-proxies';
import { onDatabaseAndOthers } from '../database/unusable-database';
import { keepInspectorClosed } from '../app/inspector';
import { readImportFolder } from '../provisioning/import/import-folder';
import { ImportModule } from '../provisioning/import/import.module';
import { type ImportLine, ImportService } from '../provisioning/import/import.service';
import { readArguments } from './arguments';
import { consoleOutput, runCommand } from './run-command';

const USAGE = 'Usage: npm run import -- <configuration folder> [--dry-run]';
const OPTIONS = { 'dry-run': { type: 'boolean', default: false } } as const;

/** Imports a configuration folder. The exit code is 1 if any item was refused. */
runCommand('Import', USAGE, async (stop) => {
  const { values, positionals } = readArguments(USAGE, { options: OPTIONS, allowPositionals: true });
  const [folder, ...rest] = positionals;
  const dryRun = values['dry-run'];
  if (folder === undefined || rest.length > 0) throw new ConfigurationError([USAGE]);

  // Before there is a database.
  const source = await readImportFolder(folder);
  const environment = processEnvironment();
  keepInspectorClosed(environment);
  useNoProxies();
  forgetUnverifiedTls();
  const config = readConfig(environment);
  const logger = new ServiceLogger({ ...config.log, level: 'warn' }, secretsOf(config));
  const counts = { created: 0, present: 0, refused: 0 };
  await onDatabaseAndOthers(config.database, async () => {
    const app = await NestFactory.createApplicationContext(ImportModule.register(config, STORED_CONTENT), {
      logger,
      abortOnError: false,
    });
    try {
      await app.get(ImportService).run(source, dryRun, (line) => {
        counts[line.outcome] += 1;
        consoleOutput.print(describe(line, dryRun));
        stop.throwIfAborted();
      });
    } finally {
      await app.close();
    }
  });
  const { created, present, refused } = counts;
  const verb = dryRun ? 'would be created' : 'created';
  consoleOutput.print(`${created} ${verb}, ${present} already present, ${refused} refused`);
  return refused === 0;
});

function describe({ outcome, resource, id, reason }: ImportLine, dryRun: boolean): string {
  const label = dryRun && outcome === 'created' ? 'would create' : outcome;
  return [label.padEnd(12), resource.padEnd(12), reason === undefined ? id : `${id}: ${reason}`].join(' ');
}
