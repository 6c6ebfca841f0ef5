import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestApplication } from '../support/application';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { apiKey, storageKey } from '../support/keys';

const WARNING = 'The stored notification differs from the configuration file and stays as it is';

describeOnDatabases(
  'Instances that start at the same time with different configuration files',
  (createDatabase) => {
    let database: TestDatabase;
    let folder: string;

    beforeEach(async () => {
      database = await createDatabase();
      folder = mkdtempSync(join(tmpdir(), 'relayer-instances-'));
    });

    afterEach(async () => {
      await database.drop();
      rmSync(folder, { recursive: true });
    });

    it('agree on the first, and the others log how their files differ', async () => {
      const secrets = { API_KEY: apiKey('instances'), STORAGE_ENCRYPTION_KEY: storageKey(1) };
      const starts = ['one', 'two', 'three'].map((host) => {
        const path = join(folder, `${host}.json`);
        const notification = { id: 'ops', type: 'webhook', url: `https://${host}.example.com` };
        writeFileSync(path, JSON.stringify({ notifications: [notification], networks: [] }));
        return TestApplication.start(database, { ...secrets, CONFIG_FILE: path });
      });
      const instances = await Promise.all(starts);
      // Instances in one process share a log.
      const warnings = instances.flatMap(({ logs }) => logs).filter((line) => line.includes(WARNING));
      expect(warnings).toHaveLength(2);
      const urls = await Promise.all(
        instances.map(async (instance) => (await instance.get('/api/v1/notifications')).body.data[0].url),
      );
      expect(new Set(urls).size).toBe(1);
      for (const instance of instances) await instance.close();
    });
  },
);
