import { SERVICE_VERSION } from '../../src/common/service-version';
import { Logger } from '@nestjs/common';
import { createConnection } from 'mysql2/promise';
import { checkDatabase } from '../../src/doctor/database.check';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { describeWithMariaDb } from '../support/databases';
import { PrivateMariaDb, type PrivateServer, until } from '../support/private-servers';

const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) };

describeWithMariaDb('An outage of the database', () => {
  let server: PrivateServer;
  let service: TestApplication;

  beforeAll(async () => {
    server = await PrivateMariaDb.create({ durable: true });
    const connection = await createConnection(server.url);
    await connection.query('CREATE DATABASE relayer');
    await connection.end();
    service = await TestApplication.start({ url: `${server.url}/relayer`, drop: () => Promise.resolve() });
    await addRelayer(service, { id: 'cow' });
  });

  afterAll(async () => {
    await service.close();
    await server.destroy();
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'by %s causes responses with 500 and 503, and the service recovers by itself',
    async (signal) => {
      expect((await service.post('/api/v1/relayers/cow/sign-typed-data', HASHES)).status).toBe(200);
      await server.stop(signal);

      const calls = [
        service.get('/api/v1/relayers'),
        service.patch('/api/v1/relayers/cow', { paused: true }),
        service.post('/api/v1/relayers/cow/sign-typed-data', HASHES),
        service.post('/api/v1/notifications', { url: 'https://hooks.example.com' }),
      ];
      for (const response of await Promise.all(calls)) {
        expect(response.status).toBe(500);
        expect(response.body).toEqual({
          success: false,
          data: null,
          error: `Internal Server Error (request id ${String(response.headers['x-request-id'])})`,
          message: 'Internal Server Error',
        });
      }
      await until('readiness 503', async () => (await service.get('/v1/ready')).status === 503);
      expect((await service.get('/v1/ready')).body).toEqual({
        status: 'error',
        version: SERVICE_VERSION,
        components: { database: { status: 'down' } },
      });
      expect((await service.get('/api/v1/ready')).body).toMatchObject({
        success: false,
        data: null,
        error: 'not ready, database is down',
        message: 'Service Unavailable',
      });
      expect((await service.get('/v1/health')).text).toBe('OK');
      expect((await service.get('/debug/metrics/scrape')).text).toContain('http_requests_total');

      await server.start();
      await until('readiness 200', async () => (await service.get('/v1/ready')).status === 200);
      expect((await service.post('/api/v1/relayers/cow/sign-typed-data', HASHES)).status).toBe(200);
      expect((await service.get('/api/v1/relayers')).body.data[0]).toMatchObject({
        id: 'cow',
        paused: false,
      });
    },
  );

  it('by a switchover makes the instances of a read-only server unready, and npm run doctor says why', async () => {
    const administrator = await createConnection(server.url);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    try {
      await administrator.query('SET GLOBAL read_only = 1');
      await until('readiness 503', async () => (await service.get('/v1/ready')).status === 503);
      expect((await service.get('/v1/ready')).body).toMatchObject({
        status: 'error',
        components: { database: { status: 'down' } },
      });
      expect(warn).toHaveBeenCalledWith('Not ready', {
        components: { database: { status: 'down' }, signing: { status: 'active' } },
        cause: 'the database server is read-only (@@global.read_only)',
      });
      const { findings } = await checkDatabase(service.config, []);
      expect(findings).toContainEqual({
        check: 'database',
        status: 'problem',
        detail: expect.stringMatching(
          /^(MariaDB|MySQL) \S+ at 127\.0\.0\.1:\d+ is read-only \(@@global\.read_only\)$/,
        ) as string,
        advice: 'Let DATABASE_URL name the primary, or make this server writable.',
      });
    } finally {
      warn.mockRestore();
      await administrator.query('SET GLOBAL read_only = 0');
      await administrator.end();
    }
    await until('readiness 200', async () => (await service.get('/v1/ready')).status === 200);
  });

  it('in which queries hang ends each request at its time-out', async () => {
    const hanging = await TestApplication.start(
      { url: `${server.url}/relayer`, drop: () => Promise.resolve() },
      { REQUEST_TIMEOUT_SECONDS: '1', STORAGE_ENCRYPTION_KEY: service.config.storageKeys[0]!.reveal() },
    );
    const connection = await createConnection(server.url);
    await connection.query('LOCK TABLES relayer.relayers WRITE');
    const response = await hanging.get('/api/v1/relayers');
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({
      error: 'the request took too long',
      message: 'Service Unavailable',
    });
    await connection.query('UNLOCK TABLES');
    await connection.end();
    await until('a response', async () => (await hanging.get('/v1/ready')).status === 200);
    await hanging.close();
  });
});
