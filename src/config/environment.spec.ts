import {
  API_KEY,
  STORAGE_ENCRYPTION_KEY,
  keyOf,
  textsOf,
  KEYS,
  configOf,
  faultsOf,
} from '../../test/support/environments';
import { secretsOf } from './app-config';
import { ConfigurationError } from './configuration-error';
import type { Environment } from './env-file';

describe('readConfig', () => {
  it('has a default for everything except the keys', () => {
    expect(configOf({})).toMatchObject({
      production: false,
      processes: 1,
      http: {
        host: '0.0.0.0',
        port: 8080,
        publicOrigin: undefined,
        metricsPort: undefined,
        trustProxy: false,
        requestTimeoutMs: 30_000,
        headersTimeoutMs: 10_000,
        keepAliveMs: 75_000,
        maxConnections: 2000,
        maxConnectionsPerAddress: 200,
        maxBodyBytes: 40 * 1024 * 1024,
        maxUnreadBytes: 32 * 1024 * 1024,
        unreadTimeoutMs: 20_000,
      },
      database: { type: 'sqlite', file: 'data/relayer.sqlite' },
      redisUrl: undefined,
      outbound: { allow: [], plainHttp: false },
      configFile: { path: 'config/config.json', required: false },
      rateLimit: { requestsPerSecond: 100, burstSize: 300 },
      log: { level: 'log', format: 'json' },
      signingEngine: 'auto',
      apiKeyGenerated: false,
    });
  });

  it('allows several processes only with MySQL and MariaDB', () => {
    const several = (scheme: string): Environment => ({
      DATABASE_URL: `${scheme}://u:p@h/n`,
      WEB_CONCURRENCY: '4',
    });
    for (const scheme of ['mysql', 'mariadb']) expect(configOf(several(scheme)).processes).toBe(4);
    expect(faultsOf({ ...KEYS, WEB_CONCURRENCY: '2' })).toEqual([
      'WEB_CONCURRENCY must be 1 with SQLite, which is for one process',
    ]);
    for (const bad of ['0', '65', 'auto'])
      expect(faultsOf({ ...KEYS, WEB_CONCURRENCY: bad })).toEqual([
        'WEB_CONCURRENCY must be an integer from 1 to 64',
      ]);
  });

  it.each([
    ['60', { enabled: true, intervalMs: 60_000, leaseMs: 60_000 }],
    ['1', { enabled: true, intervalMs: 1000, leaseMs: 60_000 }],
    ['3600', { enabled: true, intervalMs: 3_600_000, leaseMs: 3_600_000 }],
    ['0', { enabled: false }],
  ])('reads a check interval of %s s, which the leases may exceed', (seconds, checks) => {
    const { relayerChecks } = configOf({ RELAYER_CHECK_INTERVAL_SECONDS: seconds });
    expect(relayerChecks).toMatchObject({ ...checks, retryMs: [10_000, 20_000, 30_000, 45_000, 60_000] });
    expect(relayerChecks.firstCheckMs).toBe(5000);
  });

  it('reads every variable', () => {
    const config = configOf({
      HOST: '127.0.0.1',
      PORT: '9000',
      DATABASE_URL: 'sqlite:/var/lib/relayer.sqlite',
      REDIS_URL: 'redis://:s3cret@cache:6379/0',
      CONFIG_FILE: '/etc/relayer.json',
      RATE_LIMIT_REQUESTS_PER_SECOND: '7',
      RATE_LIMIT_BURST_SIZE: '9',
      REQUEST_TIMEOUT_SECONDS: '5',
      METRICS_PORT: '9090',
      HTTP_KEEP_ALIVE_SECONDS: '620',
      HTTP_MAX_CONNECTIONS: '500',
      HTTP_MAX_CONNECTIONS_PER_ADDRESS: '20',
      TRUST_PROXY: '1',
      LOG_LEVEL: 'debug',
      LOG_FORMAT: 'pretty',
      SIGNING_ENGINE: 'wasm',
    });
    expect(config).toMatchObject({
      http: {
        host: '127.0.0.1',
        port: 9000,
        metricsPort: 9090,
        trustProxy: 1,
        requestTimeoutMs: 5000,
        keepAliveMs: 620_000,
        maxConnections: 500,
        maxConnectionsPerAddress: 20,
      },
      database: { type: 'sqlite', file: '/var/lib/relayer.sqlite' },
      configFile: { path: '/etc/relayer.json', required: true },
      rateLimit: { requestsPerSecond: 7, burstSize: 9 },
      log: { level: 'debug', format: 'pretty' },
      signingEngine: 'wasm',
    });
    expect(config.apiKeys[0].reveal()).toBe(API_KEY);
    expect(textsOf(config.storageKeys)).toEqual([STORAGE_ENCRYPTION_KEY]);
    expect(config.redisUrl?.reveal()).toBe('redis://:s3cret@cache:6379/0');
  });

  it('reads one or two root keys, each of which must be long enough', () => {
    const [one, other] = ['first-', 'second-'].map((text) => text + 'k'.repeat(32));
    expect(textsOf(configOf({ API_KEY: `${one} , ${other}` }).apiKeys)).toEqual([one, other]);
    expect(textsOf(secretsOf(configOf({ API_KEY: `${one},${other}` })))).toEqual(
      expect.arrayContaining([one, other]),
    );
    const refused = (text: string) => faultsOf({ ...KEYS, API_KEY: text });
    expect(refused(`${one},short`)).toEqual(['API_KEY must be at least 32 characters long']);
    expect(refused(`${one},`)).toEqual(['API_KEY must be at least 32 characters long']);
    expect(refused(`${one},${one}`)).toEqual(['API_KEY must not have the same key twice']);
    expect(refused(`${one},${other},${one}3`)).toEqual(['API_KEY must be at most 2 keys']);
  });

  it('reads a list of storage keys in order, each as a secret', () => {
    const keys = Array.from({ length: 8 }, (_, i) => keyOf(8 - i));
    const config = configOf({ STORAGE_ENCRYPTION_KEY: keys.join(' , ') });
    expect(textsOf(config.storageKeys)).toEqual(keys);
    expect(textsOf(secretsOf(config))).toEqual(expect.arrayContaining(keys));
  });

  it('treats a blank value as absent', () => {
    expect(configOf({ PORT: ' ', LOG_LEVEL: '', CONFIG_FILE: ' ' })).toMatchObject({
      http: { port: 8080 },
      log: { level: 'log' },
      configFile: { path: 'config/config.json', required: false },
    });
  });

  it('ignores white space around a value', () => {
    expect(configOf({ PORT: ' 9000 ' }).http.port).toBe(9000);
  });

  it('reads the origin of the public URL', () => {
    const originOf = (url: string) => configOf({ PUBLIC_URL: url }).http.publicOrigin;
    expect(originOf('https://Relayer.Example.com:443/api?x')).toBe('https://relayer.example.com');
    expect(originOf('http://10.0.0.1:8080')).toBe('http://10.0.0.1:8080');
    for (const bad of ['relayer.example.com', 'ftp://x', 'https://user:pass@host', 'https://'])
      expect(faultsOf({ ...KEYS, PUBLIC_URL: bad })).toEqual([
        'PUBLIC_URL must be a URL such as https://relayer.example.com',
      ]);
  });

  it('refuses the same port for the API and the metrics', () => {
    expect(faultsOf({ ...KEYS, METRICS_PORT: '9000', PORT: '9000' })).toEqual([
      'METRICS_PORT must not be the same as PORT',
    ]);
  });

  it('looks up secrets of the configuration file by variable name', () => {
    const { secretVariable } = configOf({ KEYSTORE_PASSPHRASE: ' with spaces ' });
    expect(secretVariable('KEYSTORE_PASSPHRASE')?.reveal()).toBe(' with spaces ');
    for (const name of ['MISSING', 'toString', '__proto__']) expect(secretVariable(name)).toBeUndefined();
  });

  it.each([
    [true, 'pretty'],
    [false, 'json'],
  ])('selects the log format by whether there is a terminal: %s', (interactive, format) => {
    expect(configOf({}, interactive).log.format).toBe(format);
  });

  it.each([
    ['fatal', 'fatal'],
    ['error', 'error'],
    ['warn', 'warn'],
    ['info', 'log'],
    ['INFO', 'log'],
    ['debug', 'debug'],
    ['verbose', 'verbose'],
  ])('reads LOG_LEVEL=%s', (text, level) => {
    expect(configOf({ LOG_LEVEL: text }).log.level).toBe(level);
  });

  it.each([
    ['off', false],
    ['false', false],
    ['0', false],
    ['1', 1],
    ['2', 2],
    ['loopback', ['loopback']],
    ['10.0.0.0/8, 192.0.2.1', ['10.0.0.0/8', '192.0.2.1']],
    ['::1,fd00::/8', ['::1', 'fd00::/8']],
    ['linklocal,uniquelocal', ['linklocal', 'uniquelocal']],
  ])('reads TRUST_PROXY=%s', (text, trustProxy) => {
    expect(configOf({ TRUST_PROXY: text }).http.trustProxy).toEqual(trustProxy);
  });

  it('reads the allowed outbound destinations', () => {
    expect(
      configOf({ OUTBOUND_ALLOW: 'rpc:Node.Internal.:8545', OUTBOUND_PLAIN_HTTP: 'on' }).outbound,
    ).toEqual({
      allow: [{ purpose: 'rpc', port: 8545, target: 'node.internal' }],
      plainHttp: true,
    });
  });

  it.each([
    ['0', 0],
    ['1', 1],
    ['65535', 65535],
  ])('reads PORT=%s', (text, port) => {
    expect(configOf({ PORT: text }).http.port).toBe(port);
  });

  it.each([
    ['PORT', ['65536', '-1', '80.5', '8e3', '0x50', 'http', '99999999999']],
    ['RATE_LIMIT_REQUESTS_PER_SECOND', ['0', '-1', '0.5', '1000001', 'many']],
    ['RATE_LIMIT_BURST_SIZE', ['0', '1000001', 'x']],
    ['RPC_MAX_RESPONSE_BYTES', ['0', '65535', '12582913', '8MiB']],
    ['REQUEST_TIMEOUT_SECONDS', ['0', '601', '1s']],
    ['METRICS_PORT', ['0', '65536', 'off']],
    ['HTTP_KEEP_ALIVE_SECONDS', ['0', '3601', '1m']],
    ['HTTP_MAX_CONNECTIONS', ['9', '100001', 'none']],
    ['HTTP_MAX_CONNECTIONS_PER_ADDRESS', ['0', '100001', '-1']],
    [
      'TRUST_PROXY',
      [
        'true',
        'yes',
        '10.0.0.0/33',
        '0.0.0.0/0',
        '::/0',
        '::1/129',
        '10.0.0.0/8/8',
        '*',
        '10.0.0',
        'loopback/8',
        '1.2.3.4,',
        '-1',
      ],
    ],
    [
      'OUTBOUND_ALLOW',
      [
        ',',
        'node.internal,',
        'http://node.internal',
        'node internal',
        '10.0.0.0/33',
        '10.0.0.0/-1',
        '10.0.0.0/8/8',
        '10.1',
        '0x7f.1',
        '256.0.0.1',
        'fd00::/129',
        '[fd00::',
        '[10.0.0.1]',
        'fe80::1%eth0',
        '*.internal',
        'a'.repeat(64),
        '-a.internal',
      ],
    ],
    ['LOG_LEVEL', ['log', 'trace', 'constructor', '__proto__', 'toString']],
    ['LOG_FORMAT', ['xml', 'JSON5']],
    ['SIGNING_ENGINE', ['elliptic', 'native,wasm']],
    [
      'REDIS_URL',
      [
        'cache:6379',
        'http://cache',
        'redis',
        'redis://',
        'redis:cache',
        'redis://cache/first',
        'redis://cache/0?commandTimeout=1',
        'redis://cache/0#0',
        'redis://relayer:50%off@cache:6379',
        'redis://100%:word@cache:6379',
        'redis://cache:0',
        'redis://user:word@H%41:1',
      ],
    ],
    ['DATABASE_URL', ['postgres://u:s3cret@h/n', 'sqlite:', 'mysql://h/n', 'relayer.sqlite']],
    ['API_KEY', ['short', `${API_KEY} with space`, `${API_KEY}é`]],
    [
      'STORAGE_ENCRYPTION_KEY',
      [
        'AAAA',
        Buffer.alloc(31).toString('base64'),
        Buffer.alloc(33).toString('base64'),
        'ab'.repeat(32),
        `${STORAGE_ENCRYPTION_KEY}=`,
        'not base64 at all',
        ',',
        `${STORAGE_ENCRYPTION_KEY},`,
        `,${STORAGE_ENCRYPTION_KEY}`,
        `${STORAGE_ENCRYPTION_KEY},AAAA`,
        `${STORAGE_ENCRYPTION_KEY};${keyOf(1)}`,
        `${STORAGE_ENCRYPTION_KEY} ${keyOf(1)}`,
        `${STORAGE_ENCRYPTION_KEY},${STORAGE_ENCRYPTION_KEY}`,
        Array.from({ length: 9 }, (_, i) => keyOf(i)).join(),
      ],
    ],
  ])('refuses an invalid %s, naming the variable but not its value', (name, values) => {
    for (const value of values) {
      const faults = faultsOf({ ...KEYS, [name]: value });
      expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name}( entry \\d+)? must `))]);
      expect(faults[0]?.split(' ')).not.toContain(value);
    }
  });

  it.each(['redis://relayer:50%25off@cache:6379', 'rediss://cache.example', 'redis://[::1]:6379/2'])(
    'accepts %s as REDIS_URL',
    (url) => {
      expect(configOf({ REDIS_URL: url }).redisUrl?.reveal()).toBe(url);
    },
  );

  it('reports all faults at once, one line each, without values', () => {
    const error = new ConfigurationError(
      faultsOf({
        API_KEY: 's3cret-1',
        STORAGE_ENCRYPTION_KEY: 's3cret-2',
        DATABASE_URL: 'mysql://u:s3cret-3@/',
        REDIS_URL: 's3cret-4',
        PORT: 's3cret-5',
        TRUST_PROXY: 's3cret-6',
      }),
    );
    expect(error.faults).toEqual([
      'API_KEY must be at least 32 characters long',
      'STORAGE_ENCRYPTION_KEY must be the base64 of 32 bytes, or a list of up to 8 with commas between',
      'PORT must be an integer from 0 to 65535',
      expect.stringMatching(/^TRUST_PROXY must be off, a number of hops, or /),
      expect.stringMatching(/^DATABASE_URL must be sqlite:/),
      expect.stringMatching(/^REDIS_URL must be a URL/),
    ]);
    expect(error.message.split('\n')).toHaveLength(6);
    expect(error.message).not.toContain('s3cret');
  });

  it('derives the lease of a delivery from the time-out of an attempt', () => {
    expect(configOf({}).webhooks).toMatchObject({ timeoutMs: 10_000, leaseMs: 20_000 });
    expect(configOf({ WEBHOOK_TIMEOUT_SECONDS: '60' }).webhooks).toMatchObject({
      timeoutMs: 60_000,
      leaseMs: 70_000,
    });
    expect(faultsOf({ ...KEYS, WEBHOOK_TIMEOUT_SECONDS: '0' })).toEqual([
      'WEBHOOK_TIMEOUT_SECONDS must be an integer from 1 to 60',
    ]);
  });
});
