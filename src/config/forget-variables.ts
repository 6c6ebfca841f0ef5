/** Variables whose value is or contains a secret. */
export const SECRET_VARIABLES = [
  'API_KEY',
  'STORAGE_ENCRYPTION_KEY',
  'DATABASE_URL',
  'REDIS_URL',
  'AUDIT_SINK',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;
/** Variables by which libraries choose a proxy. */
const PROXY_VARIABLES = /^(?:https?|all)_proxy$/i;

/**
 * Removes secrets from the environment of this process once they have been read, so that they do not leak into diagnostic
 * reports, libraries that print the environment, or child processes.
 *
 * The primary of several processes must not call it, since it passes its environment on to its workers.
 */
export function forgetSecretVariables(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of SECRET_VARIABLES) Reflect.deleteProperty(env, name);
}

/**
 * Removes proxy variables from the environment. Outgoing calls pass a guard, and a proxy would connect to addresses
 * that the guard has not checked. Some packages of key services make their own calls.
 *
 * @returns the names of the variables that were set
 */
export function forgetProxies(env: NodeJS.ProcessEnv = process.env): string[] {
  const names = Object.keys(env).filter((name) => PROXY_VARIABLES.test(name));
  for (const name of names) Reflect.deleteProperty(env, name);
  return names;
}
