import { parseAuditSink } from './audit-sink';
import { approvalsFormat } from './approvals-format';
import { certificatesFile } from './certificates-file';
import { parseDatabaseUrl } from './database-url';
import { DATA_DIRECTORY } from './development-secrets';
import { collectorFormat, collectorHeadersFormat, ratioFormat, SAMPLERS } from './telemetry-formats';
import { parseOutboundAllow } from './outbound-allow';
import {
  anyText,
  apiKeysFormat,
  type Format,
  integer,
  logLevelFormat,
  oneOf,
  originFormat,
  redisUrlFormat,
  storageKeysFormat,
  trustProxyFormat,
} from './setting-formats';

/** One variable of the environment; `docs/reference/settings.md` and `.env.example` are generated from these. */
export interface Setting<T> extends Format<T> {
  /** The value if the variable is absent or blank. */
  absent: T;
  /** The default in the reference; absent if there is nothing to show. */
  shownDefault?: string;
  /** A description for operators, in Markdown; links are relative to `docs/reference/`. */
  meaning: string;
  /** The value in `.env.example`. */
  example: string;
}

const MEBIBYTE = 1024 * 1024;

const withDefault = <T extends string | number>(
  format: Format<T>,
  absent: NoInfer<T>,
  meaning: string,
): Setting<T> => ({ ...format, absent, shownDefault: `\`${absent}\``, meaning, example: String(absent) });

const optional = <T>(
  format: Format<T>,
  meaning: string,
  shown: Pick<Setting<T>, 'shownDefault' | 'example'>,
): Setting<T | undefined> => ({ ...format, absent: undefined, meaning, ...shown });

const mode = {
  NODE_ENV: withDefault(
    oneOf('production', 'development', 'test'),
    'development',
    '`production` makes `API_KEY`, `DATABASE_URL` and `STORAGE_ENCRYPTION_KEY` required, and refuses calls to' +
      ' [private addresses](../operations/outgoing-calls.md). `test` is the same as `development`.',
  ),
};

const server = {
  HOST: withDefault(
    anyText('an address or a host name'),
    '0.0.0.0',
    'The address to listen on; `::` for IPv6 as well.',
  ),
  PORT: withDefault(integer(0, 65_535), 8080, 'The port of the API.'),
  METRICS_PORT: optional(
    integer(1, 65_535),
    'Serves [metrics](../operations/monitoring.md#metrics) and OpenAPI pages on this port, and no longer on `PORT`.',
    { example: '9090' },
  ),
  WEB_CONCURRENCY: withDefault(
    integer(1, 64),
    1,
    '[Processes on one port](../operations/several-instances.md#several-processes); more than 1 with MySQL or MariaDB only.',
  ),
  TRUST_PROXY: optional(
    trustProxyFormat,
    'The proxies in front of the service, whose `X-Forwarded-For` is trusted.' +
      ' See [Rate limits](../operations/traffic.md#rate-limits).',
    { shownDefault: '`off`', example: 'off' },
  ),
  PUBLIC_URL: optional(
    originFormat,
    'The URL by which clients know the service, for [signed requests](../operations/access.md#signed-requests);' +
      ' only its scheme, host and port matter. If absent, those of each request are used, as `TRUST_PROXY` allows.',
    { example: 'https://relayer.example.com' },
  ),
  REQUEST_TIMEOUT_SECONDS: withDefault(
    integer(1, 600),
    30,
    'A request that takes longer gets 503, or 408 if it has not arrived in full. Work that it started may still finish.',
  ),
  HTTP_KEEP_ALIVE_SECONDS: withDefault(
    integer(1, 3600),
    75,
    'How long a connection stays open without a request. Must be longer than a load balancer or proxy keeps it.',
  ),
  HTTP_MAX_CONNECTIONS: withDefault(
    integer(10, 100_000),
    2000,
    'Open connections of all clients, for each process and port. See [Limits for clients](../operations/traffic.md#limits-for-clients).',
  ),
  HTTP_MAX_CONNECTIONS_PER_ADDRESS: withDefault(
    integer(1, 100_000),
    200,
    'Open connections of one client address without a valid token.',
  ),
  RATE_LIMIT_REQUESTS_PER_SECOND: withDefault(
    integer(1, 1_000_000),
    100,
    'Requests per second and token, or client address. See [Rate limits](../operations/traffic.md#rate-limits).',
  ),
  RATE_LIMIT_BURST_SIZE: withDefault(integer(1, 1_000_000), 300, 'Requests that may be sent at once.'),
};

const keys = {
  API_KEY: optional(
    apiKeysFormat,
    'The root key, which may do everything: `openssl rand -hex 32`. Two, separated by a comma, while' +
      ' one [replaces the other](../operations/access.md#the-root-key). Required and random in production;' +
      ' otherwise one is generated at the first start and saved in `data/`.',
    { example: '' },
  ),
  API_KEY_OVERLAP_SECONDS: withDefault(
    integer(0, 2_592_000),
    3600,
    'How long the previous secret of an [API key](../operations/access.md#rotating-a-key) still works after a rotation,' +
      ' unless the request names a time; 0 ends it at once.',
  ),
  STORAGE_ENCRYPTION_KEY: optional(
    storageKeysFormat,
    'Encrypts the stored secrets: `openssl rand -base64 32`. Of several keys, the first encrypts and all decrypt:' +
      ' see [Rotating the storage key](../operations/keys-and-backups.md#rotating-the-storage-key).' +
      ' Required and random in production; otherwise generated like `API_KEY`.',
    { example: '' },
  ),
};

const storage = {
  DATABASE_URL: optional(
    {
      accepts: '`mysql://user:password@host:3306/name`, `mariadb://…` or `sqlite:<file>`',
      parse: parseDatabaseUrl,
    },
    'The database; `?tls=true` requires [TLS](../operations/installing.md#tls-to-the-database). Special characters in user and password are percent-encoded. Required in production.',
    {
      shownDefault: `\`sqlite:${DATA_DIRECTORY}/relayer.sqlite\``,
      example: 'mysql://relayer:password@127.0.0.1:3306/relayer',
    },
  ),
  DATABASE_CA_FILE: optional(
    certificatesFile,
    "The authorities, in PEM, that the database server's certificate is checked with, instead of those that Node trusts. `?tls=verify-ca` in `DATABASE_URL` needs it.",
    { example: '/etc/ssl/database-ca.pem' },
  ),
  REDIS_URL: optional(
    redisUrlFormat,
    'What [several instances share](../operations/several-instances.md#redis) besides the database.',
    { example: 'redis://127.0.0.1:6379/0' },
  ),
  CONFIG_FILE: optional(
    anyText('a path'),
    'Relayers, signers, notifications and networks to [create at start](../operations/configuring.md#the-configuration-file).',
    { shownDefault: '`config/config.json`, if it exists', example: 'config/config.json' },
  ),
};

const signing = {
  SIGNING_ENGINE: withDefault(
    oneOf('auto', 'native', 'wasm'),
    'auto',
    'What keys held by the process [sign with](../operations/installing.md#signing-engine); `auto` selects the fastest one that works.',
  ),
  SIGNER_IDLE_CLOSE_SECONDS: withDefault(
    integer(0, 604_800),
    3600,
    'How long after its last use a signer is closed, and its [key overwritten](../custody.md#keys-in-memory); 0 for never.',
  ),
};

const outgoing = {
  OUTBOUND_ALLOW: optional(
    { accepts: 'a comma-separated list of `[purpose:]target[:port]`', parse: parseOutboundAllow },
    'Private addresses that may be called in production. See [Outgoing calls](../operations/outgoing-calls.md).',
    { example: 'rpc:10.0.0.0/8:8545,webhook:hooks.internal:443,key-service:[fd00::/8]:8200' },
  ),
  OUTBOUND_PLAIN_HTTP: withDefault(
    oneOf('on', 'off'),
    'off',
    '`on` allows calls to RPC endpoints and webhooks at public addresses [without TLS](../operations/outgoing-calls.md#plain-http) in production.',
  ),
};

const relayers = {
  RELAYER_CHECK_INTERVAL_SECONDS: withDefault(
    integer(0, 3600),
    60,
    'How often each relayer is [checked against its chain](../operations/relayers-and-chains.md#checks); 0 for never.',
  ),
  RPC_MAX_RESPONSE_BYTES: withDefault(
    integer(65_536, 12 * MEBIBYTE),
    8 * MEBIBYTE,
    'The largest response of a node, and of a batch, that [`POST …/rpc`](../operations/relayers-and-chains.md#post-rpc) passes on.',
  ),
};

const transactions = {
  TRANSACTION_REBROADCAST_SECONDS: withDefault(
    integer(1, 86_400),
    30,
    'Time after which a transaction that a node has acknowledged, but that is not mined, is sent again with the same bytes.',
  ),
  TRANSACTION_BUMP_SECONDS: optional(
    integer(1, 86_400),
    'Time after which the transaction that is next in line [gets higher fees](../transactions.md#fees).',
    { shownDefault: 'by speed: 600, 300, 180 or 120', example: '60' },
  ),
  TRANSACTION_MAX_IN_FLIGHT: withDefault(
    integer(1, 10_000),
    16,
    'Transactions of an account that nodes may hold at a time; the others wait in the database.',
  ),
  TRANSACTION_RETENTION_DAYS: optional(
    integer(1, 36_500),
    'Time after which final transactions and the bytes of their attempts are deleted.',
    { shownDefault: 'forever', example: '365' },
  ),
};

const audit = {
  AUDIT_RETENTION_DAYS: withDefault(
    integer(0, 36_500),
    400,
    'Time after which [audit events](../operations/audit.md) are deleted, one daily chain at a time; the chain heads stay. 0 keeps them forever.',
  ),
  AUDIT_SINK: optional(
    {
      accepts: '`file:/absolute/path`, `syslog+tls://host:port` or an `https://…` URL',
      parse: parseAuditSink,
    },
    '[Receives every audit event](../operations/audit.md#sinks) at least once, in addition to the database.',
    { example: 'syslog+tls://logs.internal:6514' },
  ),
  AUDIT_SINK_CA_FILE: optional(
    certificatesFile,
    'The authorities, in PEM, that the certificate of a `syslog+tls` sink is checked with, instead of those that Node trusts.',
    { example: '/etc/ssl/logs-ca.pem' },
  ),
};

const approvals = {
  APPROVALS: optional(
    approvalsFormat,
    'Changes that [wait until other API keys approve them](../operations/approvals.md), and how many approvals each kind needs; all other changes apply at once.',
    {
      shownDefault: 'none',
      example: 'loosen_policy=2,unpause=1,signer_delete=2,api_key_scope=2,unfreeze=2',
    },
  ),
  APPROVALS_EXPIRE_HOURS: withDefault(
    integer(1, 720),
    24,
    'How long a change waits for approvals before it expires.',
  ),
};

const webhooks = {
  WEBHOOK_TIMEOUT_SECONDS: withDefault(
    integer(1, 60),
    10,
    'How long one attempt to deliver an event may take. An attempt whose instance was killed is repeated' +
      ' at the earliest 10 s after that time.',
  ),
  WEBHOOK_RETRY_HOURS: withDefault(
    integer(1, 720),
    24,
    'How long after the event, or after a replay, [attempts](../webhooks.md#deliveries) go on.',
  ),
  WEBHOOK_SWITCH_OFF_HOURS: withDefault(
    integer(1, 8760),
    72,
    'How long every attempt may fail before a receiver is [switched off](../webhooks.md#switching-off).',
  ),
  WEBHOOK_RETENTION_DAYS: withDefault(
    integer(1, 3650),
    30,
    'How long finished deliveries and their attempts are stored.',
  ),
  WEBHOOK_KEY_OVERLAP_HOURS: withDefault(
    integer(0, 720),
    24,
    'How long a replaced signing key still signs in addition to the new one.',
  ),
};

const observability = {
  LOG_LEVEL: optional(logLevelFormat, 'The lowest level that is logged.', {
    shownDefault: '`info`',
    example: 'info',
  }),
  LOG_FORMAT: optional(
    oneOf('json', 'pretty'),
    'The format of [log lines](../operations/monitoring.md#logs).',
    {
      shownDefault: '`pretty` on a terminal, else `json`',
      example: 'json',
    },
  ),
  METRICS_RELAYER_BALANCES: withDefault(
    oneOf('on', 'off'),
    'off',
    '`on` adds the balance of each relayer to the metrics, with its id as a label; without checks (`RELAYER_CHECK_INTERVAL_SECONDS=0`) there are none.',
  ),
};

const telemetry = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    collectorFormat,
    'Sends [traces and metrics](../operations/tracing.md) to this collector by OTLP over HTTP; nothing is recorded without it.',
    { example: 'http://otel-collector.internal:4318' },
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    collectorHeadersFormat,
    'Headers of requests to the collector, such as its token.',
    { example: 'authorization=Bearer%20token' },
  ),
  OTEL_SERVICE_NAME: withDefault(
    anyText('a name'),
    'relayer-management-service',
    'The name of the service in traces and metrics.',
  ),
  OTEL_TRACES_EXPORTER: withDefault(oneOf('otlp', 'none'), 'otlp', '`none` sends no traces.'),
  OTEL_TRACES_SAMPLER: withDefault(
    oneOf(...SAMPLERS),
    'parentbased_always_on',
    'Which traces are recorded. Samplers that begin with `parentbased_` follow the client if it sends a trace.',
  ),
  OTEL_TRACES_SAMPLER_ARG: withDefault(
    ratioFormat,
    1,
    'The share of traces that samplers with `traceidratio` in their name record.',
  ),
  OTEL_METRICS_EXPORTER: withDefault(
    oneOf('otlp', 'none'),
    'otlp',
    '`none` sends no metrics; use it if Prometheus already scrapes them.',
  ),
  OTEL_METRIC_EXPORT_INTERVAL: withDefault(
    integer(1000, 3_600_000),
    60_000,
    'The interval at which metrics are sent, in milliseconds.',
  ),
};

/** In the order of the reference. */
export const SETTING_GROUPS = {
  Mode: mode,
  Keys: keys,
  Storage: storage,
  Server: server,
  Signing: signing,
  'Outgoing calls': outgoing,
  'Relayers and their chains': relayers,
  Transactions: transactions,
  Approvals: approvals,
  Webhooks: webhooks,
  'Audit log': audit,
  'Logs and metrics': observability,
  OpenTelemetry: telemetry,
} satisfies Record<string, Record<string, Setting<unknown>>>;

export const SETTINGS = {
  ...mode,
  ...keys,
  ...storage,
  ...server,
  ...signing,
  ...outgoing,
  ...relayers,
  ...transactions,
  ...approvals,
  ...webhooks,
  ...audit,
  ...observability,
  ...telemetry,
};

export type SettingName = keyof typeof SETTINGS;

/** The type of the value of a setting. */
export type ValueOf<Name extends SettingName> = (typeof SETTINGS)[Name]['absent'];
