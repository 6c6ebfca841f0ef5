/** Variables whose value is a secret, or holds one. */
const SECRET_VARIABLES = ['API_KEY', 'STORAGE_ENCRYPTION_KEY', 'DATABASE_URL', 'REDIS_URL'] as const;
/** What libraries take for the proxy of their own calls. */
const PROXY_VARIABLES = /^(?:https?|all)_proxy$/i;

/**
 * Removes from the environment of this process what was read from it and nobody needs again: a diagnostic report, a library that prints
 * its environment, or a child process would have the secrets too.
 *
 * The primary of several processes must keep them, since it hands its environment on to those that it starts.
 */
export function forgetSecretVariables(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of SECRET_VARIABLES) Reflect.deleteProperty(env, name);
}

/**
 * Removes the proxies of the environment. Calls pass the guard on outgoing calls, and a proxy would connect to what the guard has not
 * seen; the packages of key services that ask for the credentials of the machine have ways of their own.
 *
 * @returns the names of those that were set
 */
export function forgetProxies(env: NodeJS.ProcessEnv = process.env): string[] {
  const names = Object.keys(env).filter((name) => PROXY_VARIABLES.test(name));
  for (const name of names) Reflect.deleteProperty(env, name);
  return names;
}
