import { DemonstrationService } from '../../src/provisioning/demonstration/demonstration.service';
import { TestApplication } from '../support/application';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { storageKey } from '../support/keys';

describeOnDatabases('The demonstration relayer', (createDatabase) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createDatabase();
  });

  afterEach(() => database.drop());

  /** Starts the service once, and deletes something or calls it. @returns whether the example request is shown */
  const start = async (
    work: (service: TestApplication) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<{ isShown: boolean; exists: boolean }> => {
    const settings = { STORAGE_ENCRYPTION_KEY: storageKey(1), CONFIG_FILE: '', NODE_ENV: 'development' };
    const service = await TestApplication.start(database, settings);
    try {
      const { status } = await service.get('/api/v1/relayers/demo');
      const isShown = service.app.get(DemonstrationService).active;
      await work(service);
      return { isShown, exists: status === 200 };
    } finally {
      await service.close();
    }
  };
  const remove =
    (...resources: string[]) =>
    async (service: TestApplication): Promise<void> => {
      for (const resource of resources) {
        const response = await service.call({ method: 'DELETE', path: `/api/v1/${resource}/demo` });
        expect(response.status).toBe(200);
      }
    };

  it('stays deleted while its signer exists, and is created again without it', async () => {
    expect(await start()).toEqual({ isShown: true, exists: true });
    expect(await start(remove('relayers'))).toEqual({ isShown: true, exists: true });
    expect(await start(remove('signers'))).toEqual({ isShown: false, exists: false });
    expect(await start()).toEqual({ isShown: true, exists: true });
  });

  it('has no example request while a freeze prevents its creation', async () => {
    await start(async (service) => {
      await remove('relayers', 'signers')(service);
      await service.post('/api/v1/signing/freeze', { reason: 'INC-142' });
    });
    expect(await start()).toEqual({ isShown: false, exists: false });
  });
});
