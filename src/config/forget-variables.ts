/** Variables whose value is a secret or contains one. */
export const SECRET_VARIABLES = [
  'API_KEY',
  'STORAGE_ENCRYPTION_KEY',
  'DATABASE_URL',
  'REDIS_URL',
  'AUDIT_SINK',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;
/** Secrets that the service does not read. The exporters of OpenTelemetry would add these headers to those they get. */
export const UNREAD_SECRETS = [
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_METRICS_HEADERS',
  'OTEL_EXPORTER_OTLP_LOGS_HEADERS',
] as const;
/** Variables by which libraries select a proxy. */
const PROXY_VARIABLES = /^(?:https?|all)_proxy$/i;

/**
 * Removes secrets from the environment of this process once they have been read, so that they do not leak into
 * diagnostic reports, child processes, or the output of libraries that print the environment.
 *
 * The primary of several processes must not call it, because it passes its environment on to its workers.
 */
export function forgetSecretVariables(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of [...SECRET_VARIABLES, ...UNREAD_SECRETS]) Reflect.deleteProperty(env, name);
}

/**
 * Removes proxy variables from the environment. Outgoing calls pass a guard, but a proxy would connect to addresses
 * that the guard has not checked, and some packages of key services make calls of their own.
 *
 * @returns the names of the variables that were set
 */
export function forgetProxies(env: NodeJS.ProcessEnv = process.env): string[] {
  const names = Object.keys(env).filter((name) => PROXY_VARIABLES.test(name));
  for (const name of names) Reflect.deleteProperty(env, name);
  return names;
}

/**
 * Removes the variable that makes Node accept any certificate. The service's own calls verify certificates regardless,
 * but some packages of key services make calls of their own.
 *
 * @returns whether the variable had switched the verification off
 */
export function forgetUnverifiedTls(env: NodeJS.ProcessEnv = process.env): boolean {
  const wasOff = env.NODE_TLS_REJECT_UNAUTHORIZED === '0';
  Reflect.deleteProperty(env, 'NODE_TLS_REJECT_UNAUTHORIZED');
  return wasOff;
}
