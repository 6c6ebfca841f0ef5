import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { EmbeddedServiceOptions } from '../../src/app/embedded-service';
import { ConfigurationError } from '../../src/config/configuration-error';
import {
  createRelayerService,
  type RelayerServiceConfig,
  RelayerServiceModule,
  rotateStorageKeys,
} from '../../src/public';
import { createSqlite, type TestDatabase } from '../support/databases';
import { send } from '../support/http';
import { apiKey, storageKey } from '../support/keys';

const API_KEY = apiKey('given-config');
const KEYS = { API_KEY, STORAGE_ENCRYPTION_KEY: storageKey(1), LOG_LEVEL: 'error' };

type Start = (config: RelayerServiceConfig) => Promise<{ close: () => Promise<void> }>;

const listening: Start = async (config) => {
  const service = await createRelayerService({
    config: { HOST: '127.0.0.1', ...config },
    handleSignals: false,
  });
  try {
    await service.listen(0);
    return service;
  } catch (error) {
    await service.close();
    throw error;
  }
};

/** How a program passes settings: to a service of its own, or to one in a host application. */
const programs: [string, Start][] = [
  ['createRelayerService', listening],
  [
    'RelayerServiceModule',
    (config) =>
      NestFactory.create(RelayerServiceModule.register({ path: '/relayer', config }), {
        logger: false,
        abortOnError: false,
      }),
  ],
];

describe('The settings that a program passes', () => {
  const home = process.cwd();
  let database: TestDatabase;
  let directory: string;

  beforeEach(async () => {
    database = await createSqlite();
    directory = mkdtempSync(join(tmpdir(), 'given-config-'));
    process.chdir(directory);
  });

  afterEach(async () => {
    process.chdir(home);
    rmSync(directory, { recursive: true });
    await database.drop();
  });

  const faultsOf = async (start: ReturnType<Start>): Promise<unknown> => {
    try {
      await (await start).close();
    } catch (error) {
      if (error instanceof ConfigurationError) return error.faults;
      throw error;
    }
    return [];
  };

  it.each(programs)('are those of production unless they say otherwise (%s)', async (_name, start) => {
    const missing = ['API_KEY is required in production', 'STORAGE_ENCRYPTION_KEY is required in production'];
    expect(await faultsOf(start({ DATABASE_URL: database.url }))).toEqual(missing);
    expect(await faultsOf(start({ DATABASE_URL: database.url, NODE_ENV: ' ' }))).toEqual(missing);
    const weak = Buffer.alloc(32, 7).toString('base64');
    expect(
      await faultsOf(start({ ...KEYS, DATABASE_URL: database.url, STORAGE_ENCRYPTION_KEY: weak })),
    ).toEqual(['STORAGE_ENCRYPTION_KEY must be random, and not one byte repeated']);
    expect(
      await faultsOf(start({ DATABASE_URL: database.url, NODE_ENV: 'development', LOG_LEVEL: 'error' })),
    ).toEqual([]);
  });

  it.each(programs)('do not include config/config.json of the program (%s)', async (_name, start) => {
    mkdirSync('config');
    writeFileSync('config/config.json', '{ "shop": "of the program" }');
    const settings = { ...KEYS, DATABASE_URL: database.url };
    expect(await faultsOf(start(settings))).toEqual([]);
    expect(await faultsOf(start({ ...settings, CONFIG_FILE: 'config/config.json' }))).toEqual([
      expect.stringContaining('CONFIG_FILE'),
    ]);
  });

  it('are those of production for a rotation of the storage keys too', async () => {
    const rotation = rotateStorageKeys({ config: { DATABASE_URL: database.url, LOG_LEVEL: 'error' } });
    await expect(rotation).rejects.toMatchObject({
      faults: ['API_KEY is required in production', 'STORAGE_ENCRYPTION_KEY is required in production'],
    });
  });

  it('create no demonstration relayer', async () => {
    const config = { ...KEYS, DATABASE_URL: database.url, HOST: '127.0.0.1' };
    const service = await createRelayerService({ config, handleSignals: false });
    try {
      const url = await service.listen(0);
      const headers = { authorization: `Bearer ${API_KEY}` };
      expect((await send(url, { path: '/api/v1/relayers', headers })).body).toMatchObject({ data: [] });
    } finally {
      await service.close();
    }
  });

  it.each(programs)('are logged by name if the service does not know them (%s)', async (_name, start) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const secret = { ...KEYS, DATABASE_URL: database.url, APROVALS: 'loosen_policy=2' };
    expect(await faultsOf(start(secret))).toEqual([]);
    const line = ['Settings in config are not known, and have no effect', { names: ['APROVALS'] }];
    expect(warn.mock.calls.filter(([message]) => message === line[0])).toEqual([line]);
    warn.mockRestore();
  });

  it('must be in what a factory returns', async () => {
    const module = RelayerServiceModule.registerAsync({
      useFactory: () => ({ path: '/relayer' }) as unknown as EmbeddedServiceOptions,
    });
    const created = NestFactory.create(module, { logger: false, abortOnError: false });
    expect(await faultsOf(created)).toEqual(['config is required: an object with the settings by name']);
  });
});
