import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENTITIES } from '../../src/app/entities';
import { Secret } from '../../src/common/secrets/secret';
import { createDataSource, dataSourceOptions } from '../../src/database/data-source';
import { driverCodeOf } from '../../src/database/drivers/driver-errors';
import { checkRedis } from '../../src/doctor/redis.check';
import { CertificateAuthority } from '../support/certificates';
import { describeWithMariaDb } from '../support/databases';
import { configOf } from '../support/environments';
import { send } from '../support/http';
import { apiKey } from '../support/keys';
import { freePort, PrivateMariaDb, PrivateRedis, until } from '../support/private-servers';

const MAIN = join(__dirname, '../../dist/main.js');
const API_KEY = apiKey('tls');

describeWithMariaDb('Servers with TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relayer-tls-'));
  const file = (name: string): string => join(folder, `${name}.pem`);
  let authority: CertificateAuthority;
  let other: CertificateAuthority;
  let mariaDb: PrivateMariaDb;

  beforeAll(async () => {
    [authority, other] = [new CertificateAuthority(), new CertificateAuthority()];
    writeFileSync(file('ca'), authority.own.cert);
    writeFileSync(file('other'), other.own.cert);
    mariaDb = await PrivateMariaDb.create({ certificate: authority.issue('localhost') });
    await mariaDb.query('CREATE DATABASE relayer CHARACTER SET utf8mb4');
  });

  afterAll(async () => {
    await mariaDb.destroy();
    for (const each of [authority, other]) each.remove();
    rmSync(folder, { recursive: true });
  });

  const urlWith = (tls: string): string => `${mariaDb.urlAt('localhost')}/relayer${tls}`;

  /** The cipher of a connection, or the code of the error. */
  const connect = async (tls: string, ca: string): Promise<string> => {
    const env = { DATABASE_URL: urlWith(tls), ...(tls && { DATABASE_CA_FILE: file(ca) }) };
    const dataSource = createDataSource(dataSourceOptions(configOf(env).database, ENTITIES));
    try {
      await dataSource.initialize();
    } catch (error) {
      return driverCodeOf(error);
    }
    try {
      const [status] = await dataSource.query<{ Value: string }[]>("SHOW SESSION STATUS LIKE 'Ssl_cipher'");
      return status?.Value ?? '';
    } finally {
      await dataSource.destroy();
    }
  };

  const certify = async (name: string): Promise<void> => {
    await mariaDb.stop();
    mariaDb.certify(authority.issue(name));
    await mariaDb.start();
  };

  it('have certificates of the authority for the host', async () => {
    expect(await connect('?tls=true', 'ca')).toContain('TLS_');
    expect(await connect('?tls=verify-ca', 'ca')).toContain('TLS_');
    for (const tls of ['?tls=true', '?tls=verify-ca'])
      expect(await connect(tls, 'other')).toBe('HANDSHAKE_SSL_ERROR');
    expect(await connect('', 'ca')).toMatch(/^ER_/);
  });

  it('are refused with a certificate for another host, unless only its authority is to be verified', async () => {
    await certify('database.test');
    expect(await connect('?tls=true', 'ca')).toBe('HANDSHAKE_SSL_ERROR');
    expect(await connect('?tls=verify-ca', 'ca')).toContain('TLS_');
    expect(await connect('?tls=verify-ca', 'other')).toBe('HANDSHAKE_SSL_ERROR');
    await certify('localhost');
  });

  (process.env.TEST_REDIS_URL ? describe : describe.skip)('used by the service', () => {
    let redis: PrivateRedis;

    beforeAll(async () => {
      redis = await PrivateRedis.create(authority.issue('localhost'));
    });

    afterAll(() => redis.destroy());

    /** Starts the service, and returns the components that it reports once it responds. */
    const componentsWith = async (env: Record<string, string>): Promise<Record<string, unknown>> => {
      const port = await freePort();
      const service = spawn(process.execPath, [MAIN], {
        cwd: folder,
        env: {
          ...{ PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), API_KEY },
          ...{ DATABASE_URL: urlWith('?tls=true'), DATABASE_CA_FILE: file('ca') },
          ...{ REDIS_URL: redis.urlAt('localhost'), ...env },
        },
        stdio: 'ignore',
      });
      const ended = once(service, 'exit');
      const url = `http://127.0.0.1:${port}`;
      let components: Record<string, unknown> | undefined;
      try {
        await until(
          'the service',
          async () => {
            const response = await send(url, { path: '/v1/ready' }).catch(() => undefined);
            components = (response?.body as { components?: typeof components } | undefined)?.components;
            return components?.database !== undefined;
          },
          service,
        );
        const headers = { authorization: `Bearer ${API_KEY}` };
        expect((await send(url, { path: '/api/v1/relayers', headers })).status).toBe(200);
        return components ?? {};
      } finally {
        service.kill();
        await ended;
      }
    };

    it('are up', async () => {
      expect(await componentsWith({ NODE_EXTRA_CA_CERTS: file('ca') })).toMatchObject({
        database: { status: 'up' },
        redis: { status: 'up' },
      });
    });

    it.each([
      ['a certificate of an unknown authority', 'rediss', 'UNABLE_TO_', 'The certificate was not accepted'],
      ['no TLS where it is required', 'redis', 'ECONNRESET', 'use rediss://'],
      ['TLS where there is none', 'other', 'ETIMEDOUT', 'use redis://'],
    ])('have advice of the doctor for %s', async (_, kind, code, advice) => {
      const url =
        kind === 'other'
          ? (process.env.TEST_REDIS_URL ?? '').replace('redis:', 'rediss:')
          : redis.urlAt('localhost').replace('rediss', kind);
      const { findings } = await checkRedis(new Secret(url));
      expect(findings).toMatchObject([
        { detail: expect.stringMatching(code), advice: expect.stringContaining(advice) },
      ]);
    });

    it.each([
      ['of another authority', () => other.issue('localhost')],
      ['for another host', () => authority.issue('redis.test')],
    ])('do not include a Redis with a certificate %s', async (_, certificate) => {
      await redis.stop();
      redis.certify(certificate());
      await redis.start();
      expect(await componentsWith({ NODE_EXTRA_CA_CERTS: file('ca') })).toMatchObject({
        database: { status: 'up' },
        redis: { status: 'degraded' },
      });
    });
  });
});
