import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { PrivateRedis, until } from '../../test/support/private-servers';
import { Secret } from '../common/secrets/secret';
import { checkRedis } from '../doctor/redis.check';
import { LIMITS_CONNECTION, RedisRateLimitStorage } from '../rate-limits/redis-rate-limit.storage';
import { RedisService } from './redis.service';

(process.env.TEST_REDIS_URL ? describe : describe.skip)('RedisService with a server', () => {
  let server: PrivateRedis;
  let administrator: Redis;
  let service: RedisService;

  const open = (
    change: (url: URL) => void,
  ): { url: Secret; limits: Redis; storage: RedisRateLimitStorage } => {
    const changed = new URL(server.url);
    change(changed);
    const url = new Secret(changed.href);
    service = new RedisService({ url, Client: Redis });
    const limits = service.connect('limits', LIMITS_CONNECTION);
    return { url, limits, storage: new RedisRateLimitStorage(limits) };
  };
  const charge = (storage: RedisRateLimitStorage) =>
    storage.charge('k', 60_000, 10, { cost: 1, required: 1 });

  beforeAll(async () => {
    for (const level of ['log', 'warn'] as const) jest.spyOn(Logger.prototype, level).mockImplementation();
    jest.spyOn(console, 'warn').mockImplementation();
    server = await PrivateRedis.create();
    administrator = new Redis(server.url);
  });

  afterEach(() => {
    service.onApplicationShutdown();
  });

  afterAll(async () => {
    administrator.disconnect();
    await server.destroy();
    jest.restoreAllMocks();
  });

  it('runs no command in database 0 if the one in the URL is refused', async () => {
    const { url, limits, storage } = open((changed) => (changed.pathname = '/16'));
    let reconnections = 0;
    limits.on('reconnecting', () => (reconnections += 1));
    await until('the next attempts to connect', async () => {
      await expect(charge(storage)).rejects.toThrow();
      return reconnections > 2;
    });
    await expect(service.ping()).rejects.toThrow();
    expect(await administrator.dbsize()).toBe(0);
    expect((await checkRedis(url)).findings).toEqual([
      {
        check: 'redis',
        status: 'problem',
        detail: 'cannot be used (refused)',
        advice: 'Correct the number of the database at the end of REDIS_URL.',
      },
    ]);
  });

  describe('and a user', () => {
    /** As docs/operations/several-instances.md lists them. */
    const RIGHTS = '~relayer:* +select +ping +info +time +eval +evalsha +get +set'.split(' ');

    const openAs = async (rights: string[]): Promise<ReturnType<typeof open>> => {
      await administrator.call('ACL', 'SETUSER', 'limited', 'reset', 'on', '>pa55word', ...rights);
      return open((changed) =>
        Object.assign(changed, { username: 'limited', password: 'pa55word', pathname: '/3' }),
      );
    };

    it('needs only the documented rights', async () => {
      const { url, limits, storage } = await openAs(RIGHTS);
      await once(limits, 'ready');
      expect(await charge(storage)).toMatchObject({ totalHits: 1 });
      await service.ping();
      expect((await checkRedis(url)).findings).toMatchObject([{ status: 'ok' }]);
    });

    it.each(RIGHTS.slice(1))('needs %s', async (right) => {
      await administrator.script('FLUSH');
      const { url, limits, storage } = await openAs(RIGHTS.filter((other) => other !== right));
      await new Promise((resolve) => limits.once('ready', resolve).once('close', resolve));
      const check = async () => {
        const [finding] = (await checkRedis(url)).findings;
        if (finding?.status !== 'ok') throw new Error(finding?.advice);
      };
      // The second time, the script is known.
      const chargeTwice = () => charge(storage).then(() => charge(storage));
      const uses = await Promise.allSettled([chargeTwice(), service.ping(), check()]);
      expect(uses.map(({ status }) => status)).toContain('rejected');
    });
  });
});
