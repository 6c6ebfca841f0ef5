import type { LogSettings } from '../common/logging/service-logger';
import { Secret } from '../common/secrets/secret';
import type { AuditSinkSettings } from './audit-sink';
import type { NeededApprovals } from './approvals-format';
import type { OutboundAllowance } from './outbound-allow';
import { parseCollectorHeaders, type SamplerName } from './telemetry-formats';

/** The whole configuration, validated. Read it through `ConfigService<AppConfig, true>`. */
export interface AppConfig {
  production: boolean;
  /** Whether this process runs background work: relayer checks, deliveries, purges. Commands do not. */
  background: boolean;
  /** Number of processes that share the port. */
  processes: number;
  http: HttpSettings;
  /** The root key, or two while one replaces the other; see {@link apiKeyGenerated}. */
  apiKeys: [Secret, ...Secret[]];
  /** Whether the key was generated, at the first start. */
  apiKeyGenerated: boolean;
  /** Each is 32 bytes in base64: the first encrypts stored secrets, all of them decrypt. */
  storageKeys: Secret[];
  database: DatabaseSettings;
  redisUrl: Secret | undefined;
  configFile: { path: string; required: boolean };
  /** Looks up a secret that the configuration file refers to by the name of a variable. */
  secretVariable: (name: string) => Secret | undefined;
  signers: SignerSettings;
  /** The implementation that keys in this process sign with; `auto` selects the fastest that works. */
  signingEngine: 'auto' | 'native' | 'wasm';
  rateLimit: { requestsPerSecond: number; burstSize: number };
  /** How long the replaced secret of an API key stays valid, unless the request says otherwise. */
  apiKeyOverlapMs: number;
  relayerChecks: RelayerCheckSettings;
  /** Whether the metrics show the balance of each relayer, by its id. */
  balanceMetrics: boolean;
  /** The maximum size of an RPC node's response that is passed on to a caller, in bytes. */
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
  /** Without a trailing slash; `/v1/traces` and `/v1/metrics` are appended. */
  endpoint: string;
  /** As `parseCollectorHeaders` reads them. */
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
  /** Certificates of authorities for a syslog sink, in PEM; undefined for those that Node trusts. */
  sinkCaFile: string | undefined;
}

/** Every secret of the configuration, for the log to redact. */
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
  /** Scheme and authority of the URL by which clients know the service; undefined to take those of each request. */
  publicOrigin: string | undefined;
  /** A separate port for metrics and OpenAPI pages only; undefined to serve them on `port`. */
  metricsPort: number | undefined;
  requestTimeoutMs: number;
  /** Until the headers of a request have been received. */
  headersTimeoutMs: number;
  /** Open connections of all clients, per process and port. */
  maxConnections: number;
  /** Of these, connections of one client address without a valid token. */
  maxConnectionsPerAddress: number;
  /** Bytes of request bodies that a process holds. */
  maxBodyBytes: number;
  /** Bytes of responses that a process holds until clients read them. */
  maxUnreadBytes: number;
  /** How long a client may take to read a response. */
  unreadTimeoutMs: number;
  /** From SIGTERM until the listener closes, so that load balancers see the 503 of the readiness route. */
  drainMs: number;
  /** From SIGTERM until requests in progress are aborted. */
  shutdownTimeoutMs: number;
}

/** How long signers stay open in memory; all times in milliseconds. */
export interface SignerSettings {
  /** Interval at which open signers are compared with the stored ones. */
  sweepMs: number;
  /** From its last use until a signer is closed; 0 for never. */
  idleCloseMs: number;
}

/** How relayers are checked on their chain; all times in milliseconds. */
export interface RelayerCheckSettings {
  enabled: boolean;
  /** Interval between checks of an enabled relayer. */
  intervalMs: number;
  /** How long a check may take before any instance repeats it; not less than `intervalMs`. */
  leaseMs: number;
  /** Intervals between checks of a disabled relayer; the last one repeats. */
  retryMs: readonly number[];
  /** How long the creation of a relayer waits for its first check. */
  firstCheckMs: number;
  /** Minimum time between two early checks that failed calls trigger. */
  earlyMs: number;
}

/** How transactions are sent. */
export interface TransactionSettings {
  /** Time after which an acknowledged attempt is sent again. */
  rebroadcastMs: number;
  /** Time after which an attempt gets higher fees; undefined to decide by its speed. */
  bumpSeconds: number | undefined;
  /** Transactions of an account above its nonce on the chain. */
  maxInFlight: number;
  /** How long final transactions are kept; undefined to keep them forever. */
  retentionMs: number | undefined;
}

/** Changes that wait for the approval of others. */
export interface ApprovalSettings {
  needed: NeededApprovals;
  /** How long a change waits. */
  expireMs: number;
}

/** How events are delivered to their receivers; all times in milliseconds. */
export interface WebhookSettings {
  /** Of one attempt. */
  timeoutMs: number;
  /** How long an attempt is leased; longer than the attempt and saving its result can take. */
  leaseMs: number;
  /** The maximum delay before the second attempt; it doubles with each attempt. */
  firstRetryMs: number;
  longestRetryMs: number;
  /** For how long after the event attempts are repeated. */
  retryForMs: number;
  /** How long a receiver may fail before it is switched off. */
  switchOffAfterMs: number;
  /** How long finished deliveries are kept. */
  retentionMs: number;
  /** How long a replaced signing key signs in addition to the new one. */
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
