import { Secret } from '../common/secrets/secret';
import type {
  AppConfig,
  AuditSettings,
  ApprovalSettings,
  DatabaseSettings,
  HttpSettings,
  RelayerCheckSettings,
  TelemetrySettings,
  TransactionSettings,
  WebhookSettings,
} from './app-config';
import { ConfigurationError } from './configuration-error';
import type { Environment } from './env-file';
import { DATA_DIRECTORY, generatedKey } from './development-secrets';
import { readLogLevel, readRateLimit } from './live-settings';
import { type Read, settingReader } from './read-setting';
import { readSecretVariable, readSecretFiles } from './secret-files';
import { apiKeysFormat, type Format, storageKeysFormat } from './setting-formats';
import { weaknessOfBytes, weaknessOfText } from './weak-keys';

/** The maximum duration of a check, which is reached if all endpoints of the relayer hang. */
const LONGEST_CHECK_MS = 60_000;
const MEBIBYTE = 1024 * 1024;
const HOUR_MS = 3_600_000;
const UNKNOWN_USE_MS = 600_000;
const LANE_MS = 60_000;
const DEFAULT_CONFIG_FILE = 'config/config.json';

/**
 * Reads the whole configuration. Outside of production, the two keys are generated if they are missing.
 *
 * @throws ConfigurationError with all faults at once
 */
export function readConfig(environment: Environment, interactive = process.stdout.isTTY): AppConfig {
  const { env, faults } = readSecretFiles(environment);
  const read = settingReader(env, faults);

  const production = read('NODE_ENV') === 'production';
  const required = ['API_KEY', 'DATABASE_URL', 'STORAGE_ENCRYPTION_KEY'];
  if (production)
    faults.push(
      ...required.filter((name) => !env[name]?.trim()).map((name) => `${name} is required in production`),
    );

  const apiKeys = read('API_KEY', production ? weaknessOfApiKeys : undefined);
  const storageKeys = read('STORAGE_ENCRYPTION_KEY', production ? weaknessOfStorageKeys : undefined);
  const settings = {
    production,
    background: true,
    processes: read('WEB_CONCURRENCY'),
    http: readHttp(read),
    database: readDatabase(read, faults),
    redisUrl: read('REDIS_URL'),
    configFile: {
      path: read('CONFIG_FILE') ?? DEFAULT_CONFIG_FILE,
      required: read('CONFIG_FILE') !== undefined,
    },
    secretVariable: (name: string) => {
      const value = readSecretVariable(env, name);
      return value === undefined ? undefined : new Secret(value);
    },
    signers: {
      sweepMs: 20_000,
      idleCloseMs: read('SIGNER_IDLE_CLOSE_SECONDS') * 1000,
    },
    signingEngine: read('SIGNING_ENGINE'),
    rateLimit: readRateLimit(read),
    apiKeyOverlapMs: read('API_KEY_OVERLAP_SECONDS') * 1000,
    relayerChecks: readRelayerChecks(read),
    balanceMetrics: read('METRICS_RELAYER_BALANCES') === 'on',
    rpc: { maxResponseBytes: read('RPC_MAX_RESPONSE_BYTES') },
    outbound: {
      allow: read('OUTBOUND_ALLOW') ?? [],
      plainHttp: read('OUTBOUND_PLAIN_HTTP') === 'on',
    },
    webhooks: readWebhooks(read),
    transactions: readTransactions(read),
    audit: readAudit(read, faults),
    approvals: readApprovals(read),
    log: {
      level: readLogLevel(read),
      format: read('LOG_FORMAT') ?? (interactive ? 'pretty' : 'json'),
    },
    telemetry: readTelemetry(read),
  };
  if (settings.processes > 1 && settings.database.type === 'sqlite')
    faults.push('WEB_CONCURRENCY must be 1 with SQLite, which is for one process');
  if (settings.http.metricsPort !== undefined && settings.http.metricsPort === settings.http.port)
    faults.push('METRICS_PORT must not be the same as PORT');
  if (faults.length > 0) throw new ConfigurationError(faults);
  return {
    ...settings,
    apiKeys: apiKeys ?? parseGeneratedKey('api-key', apiKeysFormat),
    apiKeyGenerated: apiKeys === undefined,
    storageKeys: storageKeys ?? parseGeneratedKey('storage-encryption-key', storageKeysFormat),
  };
}

/** Parses a generated key by the rules for its variable, because someone may have edited the file. */
function parseGeneratedKey<T>(name: string, { parse }: Format<T>): T {
  try {
    return parse(generatedKey(name).reveal());
  } catch (error) {
    const rule = error instanceof Error ? error.message : 'cannot be read';
    throw new ConfigurationError([`${DATA_DIRECTORY}/${name} ${rule}`]);
  }
}

function readHttp(read: Read): HttpSettings {
  return {
    host: read('HOST'),
    port: read('PORT'),
    trustProxy: read('TRUST_PROXY') ?? false,
    publicOrigin: read('PUBLIC_URL'),
    metricsPort: read('METRICS_PORT'),
    requestTimeoutMs: read('REQUEST_TIMEOUT_SECONDS') * 1000,
    /** Time for the headers of a request to arrive; then 408. @limit Connections and requests */
    headersTimeoutMs: 10_000,
    keepAliveMs: read('HTTP_KEEP_ALIVE_SECONDS') * 1000,
    maxConnections: read('HTTP_MAX_CONNECTIONS'),
    maxConnectionsPerAddress: read('HTTP_MAX_CONNECTIONS_PER_ADDRESS'),
    /**
     * Bodies of a process, each until its request has a response and its work has ended; more get 503.
     * @limit Request bodies
     */
    maxBodyBytes: 40 * MEBIBYTE,
    /**
     * Responses of a process that clients have not read; the oldest connections are closed beyond it.
     * @limit Connections and requests
     */
    maxUnreadBytes: 32 * MEBIBYTE,
    /** Time for a client to read a response. @limit Connections and requests */
    unreadTimeoutMs: 20_000,
    drainMs: 1000,
    /** Time from SIGTERM until requests in flight are cut off. @limit Connections and requests */
    shutdownTimeoutMs: 10_000,
  };
}

function readRelayerChecks(read: Read): RelayerCheckSettings {
  const seconds = read('RELAYER_CHECK_INTERVAL_SECONDS');
  return {
    enabled: seconds > 0,
    intervalMs: seconds * 1000,
    leaseMs: Math.max(seconds * 1000, LONGEST_CHECK_MS),
    retryMs: [10_000, 20_000, 30_000, 45_000, 60_000],
    firstCheckMs: 5000,
    earlyMs: 30_000,
  };
}

function readTransactions(read: Read): TransactionSettings {
  const days = read('TRANSACTION_RETENTION_DAYS');
  return {
    rebroadcastMs: read('TRANSACTION_REBROADCAST_SECONDS') * 1000,
    unknownUseMs: UNKNOWN_USE_MS,
    laneMs: LANE_MS,
    bumpSeconds: read('TRANSACTION_BUMP_SECONDS'),
    maxInFlight: read('TRANSACTION_MAX_IN_FLIGHT'),
    retentionMs: days === undefined ? undefined : days * 24 * HOUR_MS,
  };
}

function readAudit(read: Read, faults: string[]): AuditSettings {
  const days = read('AUDIT_RETENTION_DAYS');
  const before = faults.length;
  const sink = read('AUDIT_SINK');
  const sinkCa = read('AUDIT_SINK_CA_FILE');
  if (faults.length === before && sinkCa !== undefined && sink?.kind !== 'syslog')
    faults.push('AUDIT_SINK_CA_FILE needs an AUDIT_SINK with syslog+tls: other sinks do not use it');
  return { retentionMs: days === 0 ? undefined : days * 24 * HOUR_MS, sink, sinkCa };
}

/**
 * A relayer's `approval_above` requires approval even if the setting does not contain this kind; it then requires one.
 */
const readApprovals = (read: Read): ApprovalSettings => ({
  needed: { transaction: 1, ...read('APPROVALS') },
  expireMs: read('APPROVALS_EXPIRE_HOURS') * HOUR_MS,
});

function readWebhooks(read: Read): WebhookSettings {
  const timeoutMs = read('WEBHOOK_TIMEOUT_SECONDS') * 1000;
  return {
    timeoutMs,
    leaseMs: timeoutMs + 10_000,
    firstRetryMs: 5000,
    longestRetryMs: HOUR_MS,
    retryForMs: read('WEBHOOK_RETRY_HOURS') * HOUR_MS,
    switchOffAfterMs: read('WEBHOOK_SWITCH_OFF_HOURS') * HOUR_MS,
    retentionMs: read('WEBHOOK_RETENTION_DAYS') * 24 * HOUR_MS,
    keyOverlapMs: read('WEBHOOK_KEY_OVERLAP_HOURS') * HOUR_MS,
  };
}

function readTelemetry(read: Read): TelemetrySettings | undefined {
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT');
  const settings = {
    headers: read('OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: read('OTEL_SERVICE_NAME'),
    traces: read('OTEL_TRACES_EXPORTER') === 'otlp',
    sampler: { name: read('OTEL_TRACES_SAMPLER'), ratio: read('OTEL_TRACES_SAMPLER_ARG') },
    metrics: read('OTEL_METRICS_EXPORTER') === 'otlp',
    metricIntervalMs: read('OTEL_METRIC_EXPORT_INTERVAL'),
  };
  return endpoint === undefined ? undefined : { endpoint, ...settings };
}

function readDatabase(read: Read, faults: string[]): DatabaseSettings {
  const before = faults.length;
  const database: DatabaseSettings = read('DATABASE_URL') ?? {
    type: 'sqlite',
    file: `${DATA_DIRECTORY}/relayer.sqlite`,
  };
  const ca = read('DATABASE_CA_FILE');
  if (faults.length > before) return database;
  const tls = database.type === 'sqlite' ? 'off' : database.tls;
  if (ca !== undefined && tls === 'off')
    faults.push('DATABASE_CA_FILE needs a DATABASE_URL with ?tls=true or ?tls=verify-ca');
  // Everyone can get a certificate from a public authority.
  if (ca === undefined && tls === 'verify-ca')
    faults.push('DATABASE_URL with ?tls=verify-ca needs DATABASE_CA_FILE');
  return database.type === 'sqlite' ? database : { ...database, ca };
}

const weaknessOfApiKeys = (keys: readonly Secret[]): string | undefined =>
  keys.map((key) => weaknessOfText(key.reveal())).find((weakness) => weakness !== undefined);

/**
 * Checks only the first key, which encrypts new records: older keys must remain usable until their records have been
 * rotated.
 */
function weaknessOfStorageKeys([newest]: Secret[]): string | undefined {
  return newest && weaknessOfBytes(Buffer.from(newest.reveal(), 'base64'));
}
