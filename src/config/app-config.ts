import type { LogSettings } from '../common/logging/service-logger';
import type { Secret } from '../common/secrets/secret';
import type { OutboundAllowance } from './outbound-allow';

/** The whole configuration, validated. Read it through `ConfigService<AppConfig, true>`. */
export interface AppConfig {
  production: boolean;
  /** Whether this process does what nobody asks for: checks of relayers, deliveries, purges. Commands do not. */
  background: boolean;
  /** Processes that serve the one port. */
  processes: number;
  http: HttpSettings;
  /** The bearer token of every `/api/v1` route; `generated` when it was made at first start. */
  apiKey: Secret;
  apiKeyGenerated: boolean;
  /** Each the base64 of 32 bytes: the first encrypts stored secrets, all of them decrypt. */
  storageKeys: Secret[];
  database: DatabaseSettings;
  redisUrl: Secret | undefined;
  configFile: { path: string; required: boolean };
  /** Looks up a secret that the configuration file refers to by the name of a variable. */
  secretVariable: (name: string) => Secret | undefined;
  signers: SignerSettings;
  /** What keys held by this process sign with; `auto` takes the fastest that works. */
  signingEngine: 'auto' | 'native' | 'wasm';
  rateLimit: { requestsPerSecond: number; burstSize: number };
  relayerChecks: RelayerCheckSettings;
  /** Whether the metrics show the balance of each relayer, by its id. */
  balanceMetrics: boolean;
  /** How many bytes the response of an RPC node may have that is passed on to a caller. */
  rpc: { maxResponseBytes: number };
  outbound: OutboundSettings;
  webhooks: WebhookSettings;
  log: LogSettings;
}

/** Every secret of the configuration, for the log to blot out. */
export function secretsOf(config: AppConfig): Secret[] {
  const { apiKey, storageKeys, database, redisUrl } = config;
  return [
    apiKey,
    ...storageKeys,
    ...(database.type === 'sqlite' ? [] : [database.password]),
    ...(redisUrl ? [redisUrl] : []),
  ];
}

/** Where the service may connect to in production. */
export interface OutboundSettings {
  /** Private addresses that may be called. */
  allow: OutboundAllowance[];
  /** Whether RPC endpoints and webhooks at public addresses may be called without TLS. */
  plainHttp: boolean;
}

export interface HttpSettings {
  host: string;
  port: number;
  /** Express' `trust proxy`: off, a number of hops, or addresses and ranges. */
  trustProxy: false | number | string[];
  /** Where metrics and OpenAPI pages are served, and nothing else; undefined for on `port`. */
  metricsPort: number | undefined;
  requestTimeoutMs: number;
  /** Until the headers of a request have arrived. */
  headersTimeoutMs: number;
  /** Open connections of all clients, for each process and port. */
  maxConnections: number;
  /** Of those, how many one client address may have without a valid token. */
  maxConnectionsPerAddress: number;
  /** Bytes of request bodies that a process holds. */
  maxBodyBytes: number;
  /** Bytes of responses that a process holds because clients have not read them. */
  maxUnreadBytes: number;
  /** How long a client may take to read a response. */
  unreadTimeoutMs: number;
  /** From SIGTERM until the listener closes, so that load balancers see the ready route turn 503. */
  drainMs: number;
  /** From SIGTERM until requests in flight are cut off. */
  shutdownTimeoutMs: number;
}

/** How long signers stay open in memory; all times in milliseconds. */
export interface SignerSettings {
  /** Between two looks at whether the open signers are still stored. */
  sweepMs: number;
  /** After its last use a signer is closed; 0 for never. */
  idleCloseMs: number;
}

/** How relayers are checked against their chain; all times in milliseconds. */
export interface RelayerCheckSettings {
  enabled: boolean;
  /** Between two checks of a relayer that is enabled. */
  intervalMs: number;
  /** How long a check may take until it is made again, by whichever instance; not less than `intervalMs`. */
  leaseMs: number;
  /** Between the checks of one that is disabled; the last value repeats. */
  retryMs: readonly number[];
  /** How long the answer to the creation of a relayer waits for its first check. */
  firstCheckMs: number;
  /** Between two calls that fail and have a relayer checked before its time. */
  earlyMs: number;
}

/** How events reach their receivers; all times in milliseconds. */
export interface WebhookSettings {
  /** Of one attempt. */
  timeoutMs: number;
  /** How long an attempt is nobody else's; longer than it can take together with keeping what came of it. */
  leaseMs: number;
  /** The longest pause before the second attempt; it doubles from one attempt to the next. */
  firstRetryMs: number;
  longestRetryMs: number;
  /** How long after the event attempts go on. */
  retryForMs: number;
  /** How long a receiver may fail before it is not called any more. */
  switchOffAfterMs: number;
  /** How long finished deliveries are kept. */
  retentionMs: number;
  /** How long a signing key that was replaced signs beside the new one. */
  keyOverlapMs: number;
}

export type DatabaseSettings = SqliteSettings | MysqlSettings;

export interface SqliteSettings {
  type: 'sqlite';
  file: string;
}

export interface MysqlSettings {
  type: 'mysql' | 'mariadb';
  host: string;
  port: number;
  user: string;
  password: Secret;
  name: string;
  tls: boolean;
}
