import 'reflect-metadata';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { AppModule } from '../app/app.module';
import { createApplication } from '../app/create-application';
import { silentProcesses } from '../cluster/silent-processes';
import { ConfigurationError } from '../config/configuration-error';
import { failuresOnly, throwawayConfig } from './command-config';
import { optionalArgument } from './or-usage';
import { environmentExample, errorsPage, limitsPage, metricsPage, settingsPage } from './reference-pages';
import { runCommand } from './run-command';

const USAGE = 'Usage: npm run reference [-- <folder>]';
/** The limits are read from comments in it. */
const SOURCES = 'src';

/**
 * Writes the pages of `docs/reference` and `.env.example` from the code: settings, errors, the metrics of an
 * application in which everything is switched on, and the limits that are marked with `@limit` in the sources.
 */
async function writeReference(folder: string): Promise<boolean> {
  if (!existsSync(SOURCES))
    throw new ConfigurationError([
      `The folder ${SOURCES} is not here: run this in a checkout of the service`,
    ]);
  const pages = {
    'settings.md': settingsPage(),
    'metrics.md': metricsPage(await registeredMetrics()),
    'limits.md': limitsPage(SOURCES),
    'errors.md': errorsPage(),
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, name), text);
  writeFileSync('.env.example', environmentExample());
  return true;
}

async function registeredMetrics(): Promise<Registry> {
  const config = throwawayConfig({
    // Never connected to: an application that is not started registers the same metrics.
    REDIS_URL: 'redis://127.0.0.1:1',
    METRICS_RELAYER_BALANCES: 'on',
  });
  const app = await createApplication(
    AppModule.register({ ...config, background: false }),
    config,
    failuresOnly,
  );
  const registry = app.get<Registry>(Registry);
  silentProcesses(registry);
  await app.close();
  return registry;
}

runCommand('Reference', () => writeReference(optionalArgument(USAGE) ?? 'docs/reference'));
