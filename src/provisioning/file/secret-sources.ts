import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { invalidRequest } from '../../common/errors/domain-error';
import { errorCodeOf } from '../../common/errors/error-cause';
import { Secret } from '../../common/secrets/secret';
import { SECRET_VARIABLES, UNREAD_SECRETS } from '../../config/forget-variables';
import type { SignerSources } from '../../signers/signer-provider';

/**
 * The usual form of variable names. Anything else may be the secret itself, given as `env` by mistake, and must not be
 * logged.
 */
const SHOWN_NAME = /^[A-Z_][A-Z0-9_]{0,62}$/;

/** Never for a file: it also names the servers that its secrets are sent to. */
const OWN_SECRETS: readonly string[] = [...SECRET_VARIABLES, ...UNREAD_SECRETS];

const MISSING = ['ENOENT', 'ENOTDIR'];

/**
 * Resolves the references in a configuration file: environment variables, and files whose path is resolved against the
 * working directory and then against the file's own folder and its parent.
 */
export function secretSources(
  configPath: string,
  variable: (name: string) => Secret | undefined,
): SignerSources {
  return {
    mayNameFiles: true,
    secret: (reference, field) => resolveSecret(reference, field, variable),
    file: (path) => readFirst(lookupPaths(path, configPath), path),
  };
}

function resolveSecret(
  reference: unknown,
  field: string,
  variable: (name: string) => Secret | undefined,
): Secret {
  const { type, value } = (reference ?? {}) as { type?: unknown; value?: unknown };
  if (typeof value !== 'string' || (type !== 'env' && type !== 'plain')) {
    throw invalidRequest(`${field} must be {"type": "env" or "plain", "value": string}`);
  }
  if (type === 'plain') return new Secret(value);
  if (OWN_SECRETS.includes(value))
    throw invalidRequest(`${field} names ${value}, a secret of the service itself`);
  const secret = variable(value);
  if (secret) return secret;
  throw invalidRequest(
    SHOWN_NAME.test(value)
      ? `${field} names the environment variable ${value}, which is not set`
      : `${field} names an environment variable that is not set`,
  );
}

/**
 * The candidates for a path in a configuration file: relative to the working directory, to the file's own folder, and
 * to that folder's parent, to which paths in such files usually refer.
 */
export function lookupPaths(path: string, configPath: string): string[] {
  const folder = dirname(resolve(configPath));
  return isAbsolute(path) ? [path] : [resolve(path), join(folder, path), join(folder, '..', path)];
}

async function readFirst(paths: string[], named: string): Promise<string> {
  const causes: string[] = [];
  for (const path of paths) {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      const code = errorCodeOf(error) ?? '';
      if (!MISSING.includes(code)) causes.push(code === 'EACCES' ? 'permission denied' : code);
    }
  }
  const [cause = 'it does not exist'] = causes;
  throw invalidRequest(`the file ${named} cannot be read: ${cause}`);
}
