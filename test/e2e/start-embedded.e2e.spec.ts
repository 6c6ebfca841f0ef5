import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import {
  createRelayerService,
  DomainError,
  Lifecycle,
  RelayerPlugin,
  type RelayerService,
  RelayersApi,
  SigningApi,
} from '../../src/public';
import { createSqlite, type TestDatabase } from '../support/databases';
import { send } from '../support/http';
import { apiKey, storageKey } from '../support/keys';

const API_KEY = apiKey('start-embedded');

@Injectable()
class SignNothing implements OnModuleInit {
  starts = 0;

  constructor(private readonly lifecycle: Lifecycle) {}

  onModuleInit(): void {
    this.starts += 1;
    this.lifecycle.on('signature.before', () => {
      throw new DomainError('forbidden', 'Forbidden', 'Acme signs nothing');
    });
  }
}

@RelayerPlugin({ name: 'acme-nothing', compatibility: '^1' })
@Module({ providers: [SignNothing] })
class NothingModule {}

describe('A service without HTTP', () => {
  let database: TestDatabase;
  let service: RelayerService;

  beforeEach(async () => {
    database = await createSqlite();
    const config = {
      ...{ API_KEY, STORAGE_ENCRYPTION_KEY: storageKey(5), DATABASE_URL: database.url, HOST: '127.0.0.1' },
      ...{ RELAYER_CHECK_INTERVAL_SECONDS: '0', LOG_LEVEL: 'error', NODE_ENV: 'development' },
    };
    service = await createRelayerService({ config, modules: [NothingModule], handleSignals: false });
  });

  afterEach(async () => {
    await service.close();
    await database.drop();
  });

  const sign = async (): Promise<unknown> => {
    const [relayer] = (await service.get(RelayersApi).list({ page: 1, per_page: 1 })).items;
    return service.get(SigningApi).signMessage(relayer?.id ?? '', { message: 'Hello' });
  };

  it('gives no access to its ports before it has started, because rules of plugins do not apply', async () => {
    expect(() => service.get(SigningApi)).toThrow('The service has not started: call start or listen first');
    await service.start();
    await expect(sign()).rejects.toMatchObject({ detail: 'Acme signs nothing' });
  });

  it('starts once, and can serve HTTP later', async () => {
    await Promise.all([service.start(), service.start()]);
    const url = await service.listen(0);
    expect(service.get(SignNothing).starts).toBe(1);
    expect((await send(url, { path: '/v1/health' })).text).toBe('OK');
    await expect(sign()).rejects.toMatchObject({ detail: 'Acme signs nothing' });
  });

  it('can be closed without having started', async () => {
    await service.close();
    expect(() => service.get(SigningApi)).toThrow('The service has not started');
  });

  it('is closed for good', async () => {
    const url = await service.listen(0);
    await Promise.all([service.close(), service.close()]);
    const closed = 'The service was closed: create another one';
    await expect(service.start()).rejects.toThrow(closed);
    await expect(service.listen(Number(new URL(url).port))).rejects.toThrow(closed);
    await expect(send(url, { path: '/v1/health' })).rejects.toThrow('ECONNREFUSED');
  });
});
