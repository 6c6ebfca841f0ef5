import { TestApplication } from '../support/application';
import { createSqlite } from '../support/databases';
import { PrivateRedis, until } from '../support/private-servers';

(process.env.TEST_REDIS_URL ? describe : describe.skip)('Readiness with Redis', () => {
  it('follows Redis down and up again', async () => {
    const redis = await PrivateRedis.create();
    const database = await createSqlite();
    const service = await TestApplication.start(database, { REDIS_URL: redis.url });
    const components = async (): Promise<unknown> => (await service.get('/v1/ready')).body.components;

    const others = { database: { status: 'up' }, signing: { status: 'active' } };
    expect(await components()).toEqual({ ...others, redis: { status: 'up' } });
    await redis.stop('SIGKILL');
    await until('503', async () => (await service.get('/v1/ready')).status === 503);
    expect(await components()).toEqual({ ...others, redis: { status: 'down' } });
    expect((await service.get('/api/v1/relayers')).status).toBe(200);
    await redis.start();
    await until('200', async () => (await service.get('/v1/ready')).status === 200);

    await service.close();
    await database.drop();
    await redis.destroy();
  }, 60_000);
});
