import type { AppConfig } from '../config/app-config';
import { ConfigurationError } from '../config/configuration-error';
import type { Environment } from '../config/env-file';
import { readConfig } from '../config/environment';
import { withoutGeneration } from '../config/missing-keys';
import { misspeltSettings } from '../config/misspelt-settings';
import { type Finding, ok, problem, warning } from './finding';

const CHECK = 'settings';
const ADVICE: [pattern: RegExp, advice: string][] = [
  [
    /^API_KEY (?!and)/,
    'Set API_KEY to the output of: openssl rand -hex 32. API_KEY_FILE may name a file with it.',
  ],
  [
    /^STORAGE_ENCRYPTION_KEY (?!and)/,
    'Set STORAGE_ENCRYPTION_KEY to the output of: openssl rand -base64 32. A database that exists needs the key it was written with.',
  ],
  [
    /^DATABASE_URL (?!and)/,
    'Set DATABASE_URL to mysql://user:password@host:3306/name; percent-encode special characters in user and password.',
  ],
  [/_FILE must name/, 'Mount the file, and let the user of the service read it.'],
  [/must not both be set/, 'Remove one of the two.'],
];

/**
 * Reads the settings as a start would, but without generating keys. Returns no configuration if the service would
 * refuse to start.
 */
export function checkSettings(environment: Environment): {
  config?: AppConfig;
  findings: Finding[];
} {
  try {
    const config = readConfig(withoutGeneration(environment));
    const mode = config.production ? 'production' : 'development (NODE_ENV is not production)';
    return { config, findings: [ok(CHECK, mode), ...misspelt(environment)] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { findings: error.faults.map((fault) => problem(CHECK, fault, adviceFor(fault))) };
  }
}

const misspelt = (environment: Environment): Finding[] =>
  misspeltSettings(environment).map(({ name, meant }) =>
    warning(CHECK, `${name} has no effect`, `Did you mean ${meant}?`),
  );

const adviceFor = (fault: string): string =>
  ADVICE.find(([pattern]) => pattern.test(fault))?.[1] ??
  'Correct it; docs/reference/settings.md lists what each setting accepts.';
