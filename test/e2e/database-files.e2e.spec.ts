import { rmSync } from 'node:fs';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { until } from '../support/private-servers';

const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) };
const UNAVAILABLE = {
  status: 503,
  body: {
    data: null,
    error: 'the database is unavailable: its file was deleted or replaced',
    message: 'Service Unavailable',
  },
};

describeService('A database file that was deleted', { onlySqlite: true }, ({ service, database }) => {
  it('makes the service unready, and requests that write fail with 503', async () => {
    await addRelayer(service, { id: 'cow' });
    const sign = () => service.post('/api/v1/relayers/cow/sign-typed-data', HASHES);
    expect((await sign()).status).toBe(200);
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(database.url.slice('sqlite:'.length) + suffix, { force: true });

    expect(await sign()).toMatchObject(UNAVAILABLE);
    expect(await service.patch('/api/v1/relayers/cow', { paused: true })).toMatchObject(UNAVAILABLE);
    const webhook = { url: 'https://hooks.example.com' };
    expect(await service.post('/api/v1/notifications', webhook)).toMatchObject(UNAVAILABLE);
    await until('readiness 503', async () => (await service.get('/v1/ready')).status === 503);
    expect((await service.get('/v1/ready')).body).toMatchObject({
      components: { database: { status: 'down' } },
    });
    expect((await service.get('/v1/health')).status).toBe(200);
    const lines = service.logs.filter((line) => line.includes('The database file was deleted or replaced'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'error',
      file: database.url.slice('sqlite:'.length),
    });
  });
});

describeService('The log of a start', ({ service, database, databaseName }) => {
  it('names the database, without credentials', () => {
    const line = JSON.parse(service.logs.find((each) => each.includes('"Using database"')) ?? '{}') as object;
    const place =
      databaseName === 'SQLite'
        ? database.url.slice('sqlite:'.length)
        : database.url.slice(database.url.indexOf('@') + 1);
    expect(line).toMatchObject({ level: 'info', database: place });
  });
});
