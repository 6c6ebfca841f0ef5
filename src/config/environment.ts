import { parseUrl } from '../common/net/parse-url';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import type { LogLevel } from '@nestjs/common';
import { Secret } from '../common/secrets/secret';
import type {
  AppConfig,
  DatabaseSettings,
  HttpSettings,
  RelayerCheckSettings,
  WebhookSettings,
} from './app-config';
import { ConfigurationError } from './configuration-error';
import { parseDatabaseUrl } from './database-url';
import { DATA_DIRECTORY, generatedKey } from './development-secrets';
import { weaknessOfBytes, weaknessOfText } from './weak-keys';
import { parseOutboundAllow } from './outbound-allow';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Parses one variable; undefined if it is absent or blank. The parser throws an Error whose text is the rule. */
type Read = <T>(name: string, parse: (text: string) => T) => T | undefined;

const MIN_API_KEY_LENGTH = 32;
const MAX_PROCESSES = 64;
const MAX_STORAGE_KEYS = 8;
/** The longest time of a check, if all endpoints of a relayer hang. */
const LONGEST_CHECK_MS = 60_000;
const MEBIBYTE = 1024 * 1024;
const HOUR_MS = 3_600_000;
const DEFAULT_CONFIG_FILE = 'config/config.json';
const LOG_LEVELS: Readonly<Record<string, LogLevel>> = {
  fatal: 'fatal',
  error: 'error',
  warn: 'warn',
  info: 'log',
  debug: 'debug',
  verbose: 'verbose',
};

/** `process.env`, with `.env` in the working directory as fallback. */
export function processEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/**
 * Reads the whole configuration. Outside production the two keys are generated if they are missing.
 *
 * @throws ConfigurationError with every fault at once
 */
export function readConfig(env: Environment, interactive = process.stdout.isTTY): AppConfig {
  const faults: string[] = [];
  const read: Read = (name, parse) => {
    const text = env[name]?.trim();
    if (text === undefined || text === '') return undefined;
    try {
      return parse(text);
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : 'is not valid'}`);
      return undefined;
    }
  };

  const production = env.NODE_ENV === 'production';
  const required = ['API_KEY', 'DATABASE_URL', 'STORAGE_ENCRYPTION_KEY'];
  if (production)
    faults.push(
      ...required.filter((name) => !env[name]?.trim()).map((name) => `${name} is required in production`),
    );

  const apiKey = read('API_KEY', production ? strong(parseApiKey, weaknessOfApiKey) : parseApiKey);
  const storageKeys = read(
    'STORAGE_ENCRYPTION_KEY',
    production ? strong(parseStorageKeys, weaknessOfStorageKeys) : parseStorageKeys,
  );
  const settings = {
    production,
    background: true,
    processes: read('WEB_CONCURRENCY', integer(1, MAX_PROCESSES)) ?? 1,
    http: readHttp(read),
    database: read('DATABASE_URL', parseDatabaseUrl) ?? defaultDatabase(),
    redisUrl: read('REDIS_URL', parseRedisUrl),
    configFile: {
      path: read('CONFIG_FILE', String) ?? DEFAULT_CONFIG_FILE,
      required: read('CONFIG_FILE', String) !== undefined,
    },
    secretVariable: (name: string) => {
      const value = env[name];
      return value === undefined ? undefined : new Secret(value);
    },
    signers: {
      sweepMs: 20_000,
      idleCloseMs: (read('SIGNER_IDLE_CLOSE_SECONDS', integer(0, 604_800)) ?? 3600) * 1000,
    },
    signingEngine: read('SIGNING_ENGINE', oneOf('auto', 'native', 'wasm')) ?? ('auto' as const),
    rateLimit: {
      requestsPerSecond: read('RATE_LIMIT_REQUESTS_PER_SECOND', integer(1, 1_000_000)) ?? 100,
      burstSize: read('RATE_LIMIT_BURST_SIZE', integer(1, 1_000_000)) ?? 300,
    },
    relayerChecks: readRelayerChecks(read),
    balanceMetrics: (read('METRICS_RELAYER_BALANCES', oneOf('on', 'off')) ?? 'off') === 'on',
    rpc: { maxResponseBytes: read('RPC_MAX_RESPONSE_BYTES', integer(65_536, 12 * MEBIBYTE)) ?? 8 * MEBIBYTE },
    outbound: {
      allow: read('OUTBOUND_ALLOW', parseOutboundAllow) ?? [],
      plainHttp: (read('OUTBOUND_PLAIN_HTTP', oneOf('on', 'off')) ?? 'off') === 'on',
    },
    webhooks: readWebhooks(read),
    log: {
      level: read('LOG_LEVEL', parseLogLevel) ?? 'log',
      format: read('LOG_FORMAT', oneOf('json', 'pretty')) ?? (interactive ? 'pretty' : 'json'),
    },
  };
  if (settings.processes > 1 && settings.database.type === 'sqlite')
    faults.push('WEB_CONCURRENCY must be 1 with SQLite, which is for one process');
  if (settings.http.metricsPort !== undefined && settings.http.metricsPort === settings.http.port)
    faults.push('METRICS_PORT must not be the same as PORT');
  if (faults.length > 0) throw new ConfigurationError(faults);
  return {
    ...settings,
    apiKey: apiKey ?? generated('api-key', parseApiKey),
    apiKeyGenerated: apiKey === undefined,
    storageKeys: storageKeys ?? generated('storage-encryption-key', parseStorageKeys),
  };
}

/** A key of the data folder; it must follow the same rule as the variable, in case the file was edited. */
function generated<T>(name: string, parse: (text: string) => T): T {
  try {
    return parse(generatedKey(name).reveal());
  } catch (error) {
    const rule = error instanceof Error ? error.message : 'cannot be read';
    throw new ConfigurationError([`${DATA_DIRECTORY}/${name} ${rule}`]);
  }
}

function readHttp(read: Read): HttpSettings {
  return {
    host: read('HOST', String) ?? '0.0.0.0',
    port: read('PORT', integer(0, 65_535)) ?? 8080,
    trustProxy: read('TRUST_PROXY', parseTrustProxy) ?? false,
    metricsPort: read('METRICS_PORT', integer(1, 65_535)),
    requestTimeoutMs: (read('REQUEST_TIMEOUT_SECONDS', integer(1, 600)) ?? 30) * 1000,
    headersTimeoutMs: 10_000,
    maxConnections: read('HTTP_MAX_CONNECTIONS', integer(10, 100_000)) ?? 2000,
    maxConnectionsPerAddress: read('HTTP_MAX_CONNECTIONS_PER_ADDRESS', integer(1, 100_000)) ?? 200,
    maxBodyBytes: 32 * MEBIBYTE,
    maxUnreadBytes: 32 * MEBIBYTE,
    unreadTimeoutMs: 20_000,
    drainMs: 1000,
    shutdownTimeoutMs: 10_000,
  };
}

function readRelayerChecks(read: Read): RelayerCheckSettings {
  const seconds = read('RELAYER_CHECK_INTERVAL_SECONDS', integer(0, 3600)) ?? 60;
  return {
    enabled: seconds > 0,
    intervalMs: seconds * 1000,
    leaseMs: Math.max(seconds * 1000, LONGEST_CHECK_MS),
    retryMs: [10_000, 20_000, 30_000, 45_000, 60_000],
    firstCheckMs: 5000,
    earlyMs: 30_000,
  };
}

function readWebhooks(read: Read): WebhookSettings {
  const timeoutMs = (read('WEBHOOK_TIMEOUT_SECONDS', integer(1, 60)) ?? 10) * 1000;
  return {
    timeoutMs,
    leaseMs: timeoutMs + 10_000,
    firstRetryMs: 5000,
    longestRetryMs: HOUR_MS,
    retryForMs: (read('WEBHOOK_RETRY_HOURS', integer(1, 720)) ?? 24) * HOUR_MS,
    switchOffAfterMs: (read('WEBHOOK_SWITCH_OFF_HOURS', integer(1, 8760)) ?? 72) * HOUR_MS,
    retentionMs: (read('WEBHOOK_RETENTION_DAYS', integer(1, 3650)) ?? 30) * 24 * HOUR_MS,
    keyOverlapMs: (read('WEBHOOK_KEY_OVERLAP_HOURS', integer(0, 720)) ?? 24) * HOUR_MS,
  };
}

function defaultDatabase(): DatabaseSettings {
  return { type: 'sqlite', file: `${DATA_DIRECTORY}/relayer.sqlite` };
}

function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max)) throw new Error(`must be an integer from ${min} to ${max}`);
    return value;
  };
}

function oneOf<T extends string>(...choices: T[]): (text: string) => T {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text.toLowerCase());
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return choice;
  };
}

function parseApiKey(text: string): Secret {
  if (text.length < MIN_API_KEY_LENGTH)
    throw new Error(`must be at least ${MIN_API_KEY_LENGTH} characters long`);
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new Error('must consist of printable ASCII characters without spaces');
  return new Secret(text);
}

function parseStorageKeys(text: string): Secret[] {
  const keys = text.split(',').map((key) => key.trim());
  if (keys.length > MAX_STORAGE_KEYS || !keys.every(isStorageKey))
    throw new Error(
      `must be the base64 of 32 bytes, or a list of up to ${MAX_STORAGE_KEYS} with commas between`,
    );
  if (new Set(keys).size < keys.length) throw new Error('must not have the same key twice');
  return keys.map((key) => new Secret(key));
}

/** A parser that rejects keys that are not random. */
function strong<T>(parse: (text: string) => T, weaknessOf: (value: T) => string | undefined) {
  return (text: string): T => {
    const value = parse(text);
    const weakness = weaknessOf(value);
    if (weakness !== undefined) throw new Error(weakness);
    return value;
  };
}

const weaknessOfApiKey = (key: Secret): string | undefined => weaknessOfText(key.reveal());

/** Judges the first key, which seals new records: older ones must remain usable until their records are rotated. */
function weaknessOfStorageKeys([newest]: Secret[]): string | undefined {
  return newest && weaknessOfBytes(Buffer.from(newest.reveal(), 'base64'));
}

function isStorageKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === text;
}

function parseRedisUrl(text: string): Secret {
  if (!/^rediss?:$/.test(parseUrl(text)?.protocol ?? '')) {
    throw new Error('must be a URL such as redis://user:password@host:6379/0');
  }
  return new Secret(text);
}

function parseTrustProxy(text: string): false | number | string[] {
  if (/^(off|false|0)$/i.test(text)) return false;
  if (/^\d{1,3}$/.test(text)) return Number(text);
  const ranges = text.split(',').map((range) => range.trim());
  if (!ranges.every(isProxyRange)) {
    throw new Error(
      'must be off, a number of hops, or a list of addresses, CIDR ranges, loopback, linklocal, uniquelocal',
    );
  }
  return ranges;
}

function isProxyRange(range: string): boolean {
  const [address = '', bits, ...rest] = range.split('/');
  if (rest.length > 0) return false;
  if (/^(loopback|linklocal|uniquelocal)$/.test(range)) return true;
  const version = isIP(address);
  return (
    version !== 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  );
}

function parseLogLevel(text: string): LogLevel {
  const level = Object.hasOwn(LOG_LEVELS, text.toLowerCase()) ? LOG_LEVELS[text.toLowerCase()] : undefined;
  if (level === undefined) throw new Error(`must be one of ${Object.keys(LOG_LEVELS).join(', ')}`);
  return level;
}
