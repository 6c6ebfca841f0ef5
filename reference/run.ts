import 'reflect-metadata';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { AppModule } from '../src/app/app.module';
import { createApplication } from '../src/app/create-application';
import { silentProcesses } from '../src/cluster/silent-processes';
import { failuresOnly, throwawayConfig } from '../src/commands/command-config';
import { optionalArgument } from '../src/commands/arguments';
import { runCommand } from '../src/commands/run-command';
import { environmentExample, errorsPage, limitsPage, metricsPage, scopesPage, settingsPage } from './pages';

const USAGE = 'Usage: npm run reference [-- <folder>]';
const ROOT = join(__dirname, '..');

/**
 * Writes the pages of `docs/reference` and `.env.example` from the code: settings, errors, the metrics of an
 * application in which everything is switched on, and the limits that are marked with `@limit` in the sources, and scopes.
 */
async function writeReference(folder: string): Promise<boolean> {
  const pages = {
    'settings.md': settingsPage(),
    'metrics.md': metricsPage(await registeredMetrics()),
    'limits.md': limitsPage(join(ROOT, 'src')),
    'errors.md': errorsPage(),
    'scopes.md': scopesPage(),
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, name), text);
  writeFileSync(join(ROOT, '.env.example'), environmentExample());
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

runCommand('Reference', USAGE, () => writeReference(optionalArgument(USAGE) ?? join(ROOT, 'docs/reference')));
