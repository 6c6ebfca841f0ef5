import { readFileSync } from 'node:fs';
import { invalidRequest } from '../common/errors/domain-error';
import type { Environment } from './env-file';
import { SECRET_VARIABLES } from './forget-variables';

/** Longer than any secret of the service. */
const MAX_CHARACTERS = 65_536;

/**
 * Adds secrets from files to the environment: `API_KEY_FILE` names a file with the value of `API_KEY`, for secrets
 * mounted by Docker and Kubernetes. White space around the value is ignored.
 *
 * @returns one fault for each variable that is set twice or whose file cannot be read, without the content
 */
export function readSecretFiles(env: Environment): { env: Environment; faults: string[] } {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of SECRET_VARIABLES) {
    const path = env[`${name}_FILE`]?.trim();
    if (!path) continue;
    const value = env[name]?.trim() ? undefined : readSecretFile(path);
    if (value !== undefined) values[name] = value;
    else if (env[name]?.trim()) faults.push(bothSet(name));
    else faults.push(unreadable(name));
  }
  return { env: { ...env, ...values }, faults };
}

/**
 * The value of a variable that the configuration file refers to, or the content of the file that its `_FILE` variable
 * names; undefined if neither is set. A blank value counts as absent; any other is used with its white space.
 *
 * @throws DomainError `invalid_request` if both are set, or the file cannot be read
 */
export function readSecretVariable(env: Environment, name: string): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  const given = value?.trim() ? value : undefined;
  const path = env[`${name}_FILE`]?.trim();
  if (!path) return given;
  if (given !== undefined) throw invalidRequest(bothSet(name));
  const content = readSecretFile(path);
  if (content === undefined) throw invalidRequest(unreadable(name));
  return content;
}

const bothSet = (name: string): string => `${name} and ${name}_FILE must not both be set`;
const unreadable = (name: string): string =>
  `${name}_FILE must name a file that can be read and is not empty`;

/** Undefined if the file cannot be read, is empty or is too long. */
function readSecretFile(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text === '' || text.length > MAX_CHARACTERS ? undefined : text;
  } catch {
    return undefined;
  }
}
