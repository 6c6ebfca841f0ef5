import { NestFactory } from '@nestjs/core';
import type { AppConfig } from '../config/app-config';
import type { Environment } from '../config/env-file';
import { checkClock } from './clock.check';
import { checkConfigurationFile } from './configuration-file.check';
import { checkDatabase } from './database.check';
import type { StoredContent } from '../headless/headless.module';
import { DoctorModule } from './doctor.module';
import { checkFiles } from './files.check';
import { type Finding, skipped } from './finding';
import { checkRedis } from './redis.check';
import { checkSettings } from './settings.check';
import { StoredRowsCheck } from './stored-rows.check';

/**
 * Examines an installation from its settings to the chains of its relayers. It changes nothing, and goes on where a check
 * finds a problem.
 */
export async function examine(environment: Environment, stored: StoredContent): Promise<Finding[]> {
  const { config, findings } = checkSettings(environment);
  if (!config)
    return [
      ...findings,
      ...checkFiles(environment),
      skipped('everything else', 'needs settings that can be read'),
    ];

  const database = await checkDatabase(config.database, stored.entities);
  const redis = await checkRedis(config.redisUrl);
  return [
    ...findings,
    ...checkFiles(environment),
    ...(await checkConfigurationFile(config)),
    ...database.findings,
    ...redis.findings,
    ...checkClock([...database.clocks, ...redis.clocks]),
    ...(database.isCurrent
      ? await checkStoredRows(config, stored)
      : [skipped('storage keys, signers, endpoints', 'need a database with the schema of this version')]),
  ];
}

async function checkStoredRows(config: AppConfig, stored: StoredContent): Promise<Finding[]> {
  const options = { logger: false, abortOnError: false } as const;
  const app = await NestFactory.createApplicationContext(DoctorModule.register(config, stored), options);
  try {
    return await app.get(StoredRowsCheck).run();
  } finally {
    await app.close();
  }
}
