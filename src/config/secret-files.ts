import { readFileSync } from 'node:fs';
import { SECRET_VARIABLES } from './forget-variables';

type Variables = Readonly<Record<string, string | undefined>>;

/** More than any secret of the service takes. */
const MAX_CHARACTERS = 65_536;

/**
 * The environment with the secrets that are in files: `API_KEY_FILE` names a file with the value of `API_KEY`, as Docker and
 * Kubernetes mount secrets. White space around the value is dropped.
 *
 * @returns one fault for each variable that is set twice or whose file cannot be read, which never shows the content
 */
export function readSecretFiles(env: Variables): { env: Variables; faults: string[] } {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of SECRET_VARIABLES) {
    const path = env[`${name}_FILE`]?.trim();
    if (!path) continue;
    const value = env[name]?.trim() ? undefined : readSecretFile(path);
    if (value !== undefined) values[name] = value;
    else if (env[name]?.trim()) faults.push(`${name} and ${name}_FILE must not both be set`);
    else faults.push(`${name}_FILE must name a file that can be read and is not empty`);
  }
  return { env: { ...env, ...values }, faults };
}

/** The content of a file that holds one secret; undefined where there is none. */
export function readSecretFile(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text === '' || text.length > MAX_CHARACTERS ? undefined : text;
  } catch {
    return undefined;
  }
}
