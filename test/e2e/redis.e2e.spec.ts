import { SERVICE_VERSION } from '../../src/common/service-version';
import { TestApplication } from '../support/application';
import { createSqlite } from '../support/databases';
import { PrivateRedis, until } from '../support/private-servers';

(process.env.TEST_REDIS_URL ? describe : describe.skip)('Readiness with Redis', () => {
  it('reports an unreachable Redis as degraded, and still returns 200', async () => {
    const redis = await PrivateRedis.create();
    const database = await createSqlite();
    const service = await TestApplication.start(database, { REDIS_URL: redis.url });
    const report = async (): Promise<unknown> => {
      const { status, body } = await service.get('/v1/ready');
      return { code: status, ...body };
    };
    const redisIs = (status: string) => async (): Promise<boolean> =>
      (await service.get('/v1/ready')).body.components.redis.status === status;

    const others = { database: { status: 'up' }, signing: { status: 'active' } };
    const well = {
      code: 200,
      status: 'ok',
      version: SERVICE_VERSION,
      components: { ...others, redis: { status: 'up' } },
    };
    expect(await report()).toEqual(well);
    await redis.stop('SIGKILL');
    await until('degraded', redisIs('degraded'));
    const degraded = {
      status: 'degraded',
      version: SERVICE_VERSION,
      components: { ...others, redis: { status: 'degraded' } },
    };
    expect(await report()).toEqual({ code: 200, ...degraded });
    expect((await service.get('/api/v1/ready')).body).toMatchObject({ success: true, data: degraded });
    expect((await service.get('/api/v1/relayers')).status).toBe(200);
    expect((await service.get('/debug/metrics/scrape')).text).toContain('rate_limit_fallback 1');
    await redis.start();
    await until('up', redisIs('up'));
    expect(await report()).toEqual(well);

    await service.close();
    await database.drop();
    await redis.destroy();
  });
});
