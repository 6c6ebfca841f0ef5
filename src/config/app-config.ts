import type { LogSettings } from '../common/logging/service-logger';
import { Secret } from '../common/secrets/secret';
import type { AuditSinkSettings } from './audit-sink';
import type { NeededApprovals } from './approvals-format';
import type { OutboundAllowance } from './outbound-allow';
import { parseCollectorHeaders, type SamplerName } from './telemetry-formats';

/** The validated configuration. It should be accessed through `ConfigService<AppConfig, true>`. */
export interface AppConfig {
  production: boolean;
  /** Whether this process runs background work: relayer checks, deliveries, purges. Commands do not. */
  background: boolean;
  /** The number of processes that share the port. */
  processes: number;
  http: HttpSettings;
  /** The root key, or two during a rotation; see {@link apiKeyGenerated}. */
  apiKeys: [Secret, ...Secret[]];
  /** Whether the key was generated at the first start. */
  apiKeyGenerated: boolean;
  /** Each is 32 bytes in base64. The first encrypts stored secrets; all of them can decrypt. */
  storageKeys: Secret[];
  database: DatabaseSettings;
  redisUrl: Secret | undefined;
  /** Undefined if there is none: a program that passes settings has one only if it names it. */
  configFile: { path: string; required: boolean } | undefined;
  /** Looks up a secret that the configuration file refers to by the name of a variable. */
  secretVariable: (name: string) => Secret | undefined;
  signers: SignerSettings;
  /** The implementation with which keys in this process sign; `auto` selects the fastest one that works. */
  signingEngine: 'auto' | 'native' | 'wasm';
  rateLimit: { requestsPerSecond: number; burstSize: number };
  /** How long the replaced secret of an API key stays valid, unless the request says otherwise. */
  apiKeyOverlapMs: number;
  relayerChecks: RelayerCheckSettings;
  /** Whether the metrics show the balance of each relayer, by its id. */
  balanceMetrics: boolean;
  /** The maximum size of a node's response that is forwarded to a caller, in bytes. */
  rpc: { maxResponseBytes: number };
  outbound: OutboundSettings;
  webhooks: WebhookSettings;
  transactions: TransactionSettings;
  audit: AuditSettings;
  approvals: ApprovalSettings;
  log: LogSettings;
  /** Undefined if nothing is sent to a collector. */
  telemetry: TelemetrySettings | undefined;
}

/** How traces and metrics are sent to an OpenTelemetry collector. */
export interface TelemetrySettings {
  /** The base URL, without a trailing slash; `/v1/traces` and `/v1/metrics` are appended. */
  endpoint: string;
  /** In the form that `parseCollectorHeaders` parses. */
  headers: Secret | undefined;
  serviceName: string;
  traces: boolean;
  sampler: { name: SamplerName; ratio: number };
  metrics: boolean;
  metricIntervalMs: number;
}

/** How long audit events are kept, and where else they are sent. */
export interface AuditSettings {
  /** Undefined to keep them forever. */
  retentionMs: number | undefined;
  sink: AuditSinkSettings | undefined;
  /** CA certificates in PEM for a syslog sink; undefined for those that Node trusts. */
  sinkCa: string | undefined;
}

/** Every secret in the configuration, to be redacted from the log. */
export function secretsOf(config: AppConfig): Secret[] {
  const { apiKeys, storageKeys, database, redisUrl, audit, telemetry } = config;
  return [
    ...apiKeys,
    ...storageKeys,
    ...(database.type === 'sqlite' ? [] : [database.password]),
    ...(redisUrl ? [redisUrl] : []),
    ...(audit.sink?.kind === 'https' ? [audit.sink.url] : []),
    ...(telemetry?.headers ? headerValues(telemetry.headers) : []),
  ];
}

const headerValues = (headers: Secret): Secret[] =>
  Object.values(parseCollectorHeaders(headers.reveal())).map((value) => new Secret(value));

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
  /** Scheme and authority of the URL by which clients know the service; undefined to use those of each request. */
  publicOrigin: string | undefined;
  /** A separate port for metrics and OpenAPI pages only; undefined to serve them on `port`. */
  metricsPort: number | undefined;
  requestTimeoutMs: number;
  /** The time limit for receiving the headers of a request. */
  headersTimeoutMs: number;
  /** How long a connection stays open without a request. */
  keepAliveMs: number;
  /** The maximum number of open connections for all clients, per process and port. */
  maxConnections: number;
  /** The maximum number of these for one client address without a valid token. */
  maxConnectionsPerAddress: number;
  /** The maximum number of bytes of request bodies that a process holds, also after clients have disconnected. */
  maxBodyBytes: number;
  /** The maximum number of bytes of responses that a process holds until clients read them. */
  maxUnreadBytes: number;
  /** How long a client may take to read a response. */
  unreadTimeoutMs: number;
  /** The time between SIGTERM and closing the listener, so that load balancers see the 503 of the readiness route. */
  drainMs: number;
  /** The time between SIGTERM and aborting requests in progress. */
  shutdownTimeoutMs: number;
}

/** How long signers stay open in memory, in milliseconds. */
export interface SignerSettings {
  /** The interval at which open signers are compared with the stored ones. */
  sweepMs: number;
  /** The time between its last use and closing a signer; 0 for never. */
  idleCloseMs: number;
}

/** How relayers are checked on their chains; all times in milliseconds. */
export interface RelayerCheckSettings {
  enabled: boolean;
  /** The interval between checks of an enabled relayer. */
  intervalMs: number;
  /** How long a check may take before any instance repeats it; not less than `intervalMs`. */
  leaseMs: number;
  /** The intervals between checks of a disabled relayer; the last one repeats. */
  retryMs: readonly number[];
  /** How long the creation of a relayer waits for its first check. */
  firstCheckMs: number;
  /** The minimum time between two early checks, which failed calls trigger. */
  earlyMs: number;
}

/** How transactions are sent. */
export interface TransactionSettings {
  /** The time after which an acknowledged attempt is sent again. */
  rebroadcastMs: number;
  /** The time after which an attempt gets higher fees; if undefined, it depends on the speed. */
  bumpSeconds: number | undefined;
  /** The maximum number of an account's transactions above its nonce on the chain. */
  maxInFlight: number;
  /** How long final transactions are kept; undefined to keep them forever. */
  retentionMs: number | undefined;
  /**
   * How long a nonce must have been used, without a receipt of the transaction that has it, before it counts as used by
   * something unknown. Much longer than nodes take to index their blocks.
   */
  unknownUseMs: number;
  /** How long an account with open transactions is processed before it is released, so that others get their turn. */
  laneMs: number;
}

/** Settings for changes that wait for approval by others. */
export interface ApprovalSettings {
  needed: NeededApprovals;
  /** How long a change waits for approval. */
  expireMs: number;
}

/** How events are delivered to their receivers; all times in milliseconds. */
export interface WebhookSettings {
  /** The timeout of one attempt. */
  timeoutMs: number;
  /** How long an attempt is leased: longer than the attempt and saving its result can take. */
  leaseMs: number;
  /** The maximum delay before the second attempt. It doubles with each attempt. */
  firstRetryMs: number;
  longestRetryMs: number;
  /** How long after the event attempts are repeated. */
  retryForMs: number;
  /** How long a receiver may fail before it is switched off. */
  switchOffAfterMs: number;
  /** How long finished deliveries are kept. */
  retentionMs: number;
  /** How long a replaced signing key is used in addition to the new one. */
  keyOverlapMs: number;
}

export type DatabaseSettings = SqliteSettings | MysqlSettings;

export interface SqliteSettings {
  type: 'sqlite';
  file: string;
}

/** `verify-host`: the certificate must be for the host; `verify-ca`: only its authority is checked. */
export type DatabaseTls = 'off' | 'verify-host' | 'verify-ca';

export interface MysqlSettings {
  type: 'mysql' | 'mariadb';
  host: string;
  port: number;
  user: string;
  password: Secret;
  name: string;
  tls: DatabaseTls;
  /** The authorities, in PEM, that certificates are checked with, instead of those that Node trusts. */
  ca?: string;
}
