import { NestFactory } from '@nestjs/core';
import type { AppConfig } from '../config/app-config';
import type { Environment } from '../config/env-file';
import { checkClock } from './clock.check';
import { checkConfigurationFile } from './configuration-file.check';
import { checkConfiguredItems, NOTHING_STORED } from './configured-items';
import { NetworksService } from '../networks/networks.service';
import { NotificationsService } from '../notifications/notifications.service';
import { RelayersService } from '../relayers/relayers.service';
import { SignersService } from '../signers/signers.service';
import { checkDatabase } from './database.check';
import { driverCodeOf } from '../database/drivers/driver-errors';
import type { StoredContent } from '../headless/headless.module';
import type { ConfigFile } from '../provisioning/file/config-file';
import { DoctorModule } from './doctor.module';
import { checkFiles } from './files.check';
import { type Finding, problem, skipped } from './finding';
import { checkOpenFiles } from './open-files.check';
import { checkRedis } from './redis.check';
import { checkSettings } from './settings.check';
import { StoredRowsCheck } from './stored-rows.check';

/**
 * Examines an installation, from its settings to the chains of its relayers. It changes nothing, and continues after a
 * check finds a problem.
 */
export async function examine(environment: Environment, stored: StoredContent): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    for await (const found of checks(environment, stored)) findings.push(...found);
  } catch (error) {
    const cause = driverCodeOf(error) || 'unknown cause';
    findings.push(problem('examination', `ended here (${cause})`, 'The log of a start has the whole cause.'));
  }
  return findings;
}

async function* checks(environment: Environment, stored: StoredContent): AsyncGenerator<Finding[]> {
  const { config, findings } = checkSettings(environment);
  yield findings;
  yield checkFiles(environment);
  if (!config) {
    yield [skipped('everything else', 'needs settings that can be read')];
    return;
  }
  yield checkOpenFiles(config.http);
  const configuration = await checkConfigurationFile(config);
  yield configuration.findings;
  const database = await checkDatabase(config, stored.entities);
  yield database.findings;
  const redis = await checkRedis(config.redisUrl);
  yield redis.findings;
  yield checkClock([...database.clocks, ...redis.clocks]);
  if (database.isCurrent) {
    yield checkStoredRows(config, stored, configuration.file);
    return;
  }
  const reason = 'need a database with the schema of this version';
  if (configuration.file)
    yield database.isNew
      ? checkConfiguredItems(configuration.file, config, NOTHING_STORED)
      : [skipped('references of the file', reason)];
  yield [skipped('storage keys, signers, endpoints', reason)];
}

async function checkStoredRows(
  config: AppConfig,
  stored: StoredContent,
  file: ConfigFile | undefined,
): Promise<Finding[]> {
  const options = { logger: false, abortOnError: false } as const;
  const app = await NestFactory.createApplicationContext(DoctorModule.register(config, stored), options);
  const items = {
    signers: app.get(SignersService),
    notifications: app.get(NotificationsService),
    networks: app.get(NetworksService),
    relayers: app.get(RelayersService),
  };
  try {
    return [
      ...(file ? await checkConfiguredItems(file, config, items) : []),
      ...(await app.get(StoredRowsCheck).run()),
    ];
  } finally {
    await app.close();
  }
}
