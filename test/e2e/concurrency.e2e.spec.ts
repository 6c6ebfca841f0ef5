import { UnitOfWork } from '../../src/database/unit-of-work';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { describeWithMariaDb, createMariaDb } from '../support/databases';
import { describeService } from '../support/describe-service';
import { apiKey, storageKey } from '../support/keys';

describeService('Concurrent changes', ({ service }) => {
  beforeAll(async () => {
    await addRelayer(service, { id: 'cow' });
  });

  const patch = (body: unknown) => service.patch('/api/v1/relayers/cow', body);

  it('are both retained for two patches of different fields, 200 times', async () => {
    for (let round = 1; round <= 200; round += 1) {
      const [name, paused] = [`Round ${round}`, round % 2 === 0];
      const responses = await Promise.all([patch({ name }), patch({ paused })]);
      expect(responses.map((response) => response.status)).toEqual([200, 200]);
      expect((await service.get('/api/v1/relayers')).body.data[0]).toMatchObject({ name, paused });
    }
  });

  it('are both retained for two patches of different policies, 200 times', async () => {
    for (let round = 1; round <= 200; round += 1) {
      const responses = await Promise.all([
        patch({ policies: { min_balance: round } }),
        patch({ policies: { gas_price_cap: round } }),
      ]);
      expect(responses.map((response) => response.status)).toEqual([200, 200]);
      const { policies } = (await service.get('/api/v1/relayers')).body.data[0];
      expect(policies).toEqual({ min_balance: round, gas_price_cap: round });
    }
  });

  it('all succeed for 50 patches at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        patch({ policies: i % 2 ? { min_balance: i } : { gas_price_cap: i } }),
      ),
    );
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
  });

  it('are retained when another unit of work fails and is rolled back', async () => {
    const unitOfWork = service.app.get(UnitOfWork);
    await addRelayer(service, { id: 'undone' });
    await addRelayer(service, { id: 'kept' });
    const failing = unitOfWork.run(async () => {
      await unitOfWork.manager.query("UPDATE relayers SET name = 'undone' WHERE id = 'undone'");
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new Error('on purpose');
    });
    const [, meanwhile] = await Promise.all([
      expect(failing).rejects.toThrow('on purpose'),
      service.patch('/api/v1/relayers/kept', { name: 'kept' }),
    ]);
    expect(meanwhile.status).toBe(200);
    const { data } = (await service.get('/api/v1/relayers?per_page=100')).body;
    const names = new Map(data.map((relayer: { id: string; name: string }) => [relayer.id, relayer.name]));
    expect(names.get('kept')).toBe('kept');
    expect(names.get('undone')).toMatch(/^Relayer/);
  });
});

describeWithMariaDb('Several instances', () => {
  it('start concurrently on an empty database and see each other’s changes', async () => {
    const database = await createMariaDb();
    const key = storageKey(7);
    const settings = { STORAGE_ENCRYPTION_KEY: key, API_KEY: apiKey('concurrency') };
    const services = await Promise.all([1, 2, 3, 4].map(() => TestApplication.start(database, settings)));
    const [first, second] = services as [TestApplication, TestApplication];
    await addRelayer(first, { id: 'shared' });
    expect((await first.patch('/api/v1/relayers/shared', { paused: true })).status).toBe(200);
    const hashes = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) };
    expect((await second.post('/api/v1/relayers/shared/sign-typed-data', hashes)).status).toBe(403);
    await Promise.all(services.map((service) => service.close()));
    await database.drop();
  });

  it('never use the old key of a signer that another instance deleted and created again', async () => {
    const database = await createMariaDb();
    const settings = {
      STORAGE_ENCRYPTION_KEY: storageKey(7),
      API_KEY: apiKey('concurrency'),
    };
    const [first, second] = [
      await TestApplication.start(database, settings),
      await TestApplication.start(database, settings),
    ];
    const remove = (service: TestApplication, path: string) =>
      service.call({ method: 'DELETE', path: `/api/v1/${path}` });
    const signer = (key: string) =>
      first.post('/api/v1/signers', { id: 's', type: 'plain', config: { key } });
    const relayer = {
      id: 'r',
      name: 'R',
      network: 'sepolia',
      network_type: 'evm',
      paused: false,
      signer_id: 's',
    };
    const old = (await signer('11'.repeat(32))).body.data.address;
    expect((await second.post('/api/v1/relayers', relayer)).body.data.address).toBe(old);
    await remove(second, 'relayers/r');
    await remove(first, 'signers/s');
    const renewed = (await signer('22'.repeat(32))).body.data.address;
    expect(renewed).not.toBe(old);
    expect((await second.post('/api/v1/relayers', relayer)).body.data.address).toBe(renewed);
    const hashes = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) };
    const signatures = await Promise.all(
      [first, second].map((service) => service.post('/api/v1/relayers/r/sign-typed-data', hashes)),
    );
    expect(signatures.map(({ status }) => status)).toEqual([200, 200]);
    expect(signatures[0]?.body.data).toEqual(signatures[1]?.body.data);
    await first.close();
    await second.close();
    await database.drop();
  });
});
