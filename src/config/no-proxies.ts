import http from 'node:http';
import https from 'node:https';
import { forgetProxies } from './forget-variables';

/** Those of Node's own global agents. */
const AGENT_OPTIONS = { keepAlive: true, scheduling: 'lifo', timeout: 5000 } as const;

/**
 * Makes this process use no proxy of its environment. With `NODE_USE_ENV_PROXY` or `--use-env-proxy`, Node reads the
 * proxies when it starts, and its global agents keep them; packages of key services call metadata services with those.
 *
 * A program that embeds the service must not call it, because its own calls may need the proxy.
 *
 * @returns the names of the variables that were set
 */
export function useNoProxies(env: NodeJS.ProcessEnv = process.env): string[] {
  const names = forgetProxies(env);
  if (names.length > 0) {
    http.globalAgent = new http.Agent(AGENT_OPTIONS);
    https.globalAgent = new https.Agent(AGENT_OPTIONS);
  }
  return names;
}
