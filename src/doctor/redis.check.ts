import { RedisService } from '../redis/redis.service';
import type { Secret } from '../common/secrets/secret';
import type { ClockReading } from './clock.check';
import { causeOf, errorCodeOf } from '../common/errors/error-cause';
import { type Finding, ok, problem, warning } from './finding';
import { isAtLeast, parseVersion } from './server-version';

const CHECK = 'redis';
const TIMEOUT_MS = 3_000;
const OLDEST = [6, 2] as const;
const ADVICE: [pattern: RegExp, advice: string][] = [
  [/WRONGPASS|NOAUTH|invalid password/i, 'Correct user and password in REDIS_URL.'],
  [/NOPERM/, 'Give the user of REDIS_URL the rights that docs/operations/several-instances.md lists.'],
  [/DB index|invalid DB/i, 'Correct the number of the database at the end of REDIS_URL.'],
  [
    /certificate/,
    'The certificate was not accepted: it must be for the host in REDIS_URL; name a private authority in NODE_EXTRA_CA_CERTS.',
  ],
  [
    /ETIMEDOUT/,
    'Nothing responds: let a firewall pass the connection or, if this port has no TLS, use redis:// in REDIS_URL.',
  ],
  [/ECONNRESET/, 'The server ended the connection: if this port is for TLS, use rediss:// in REDIS_URL.'],
];

/**
 * Connects to the configured Redis, and reads its version and clock. Without Redis the service works, but each instance
 * limits requests by itself.
 */
export async function checkRedis(
  url: Secret | undefined,
): Promise<{ findings: Finding[]; clocks: ClockReading[] }> {
  if (!url)
    return { findings: [ok(CHECK, 'not configured: each instance limits requests by itself')], clocks: [] };
  const { Redis } = await import('ioredis');
  const redis = new RedisService({ url, Client: Redis });
  const client = redis.connect('doctor', {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    commandTimeout: TIMEOUT_MS,
  });
  let cause: unknown;
  // The rejection of `connect` only reports that the connection was closed.
  client.on('error', (error) => (cause = error));
  try {
    await client.connect();
    const askedAt = Date.now();
    const [seconds = 0, microseconds = 0] = (await client.time()).map(Number);
    const clock = {
      source: 'Redis',
      shown: seconds * 1000 + microseconds / 1000,
      askedAt,
      respondedAt: Date.now(),
    };
    return { findings: [checkVersion(await client.info('server'))], clocks: [clock] };
  } catch (error) {
    cause ??= error;
    const text = causeOf(cause);
    const advice = ADVICE.find(([pattern]) => pattern.test(text))?.[1];
    return {
      findings: [
        problem(
          CHECK,
          `cannot be used (${errorCodeOf(cause) ?? (advice ? 'refused' : 'no connection')})`,
          advice ?? 'Start Redis, correct host and port in REDIS_URL, or let a firewall pass the connection.',
        ),
      ],
      clocks: [],
    };
  } finally {
    redis.onApplicationShutdown();
  }
}

function checkVersion(info: string): Finding {
  const version = parseVersion(/^redis_version:(.*)$/m.exec(info)?.[1] ?? '');
  return isAtLeast(version, OLDEST)
    ? ok(CHECK, `Redis ${version.join('.')}`)
    : warning(CHECK, `Redis ${version.join('.')}`, `Upgrade it to ${OLDEST.join('.')} or later.`);
}
