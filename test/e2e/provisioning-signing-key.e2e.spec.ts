import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestApplication } from '../support/application';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { apiKey, storageKey } from '../support/keys';

const FIRST = 'the first key of the webhook, long enough';
const SECOND = 'the second key of the webhook, long enough';

describeOnDatabases('The signing key of a notification in the configuration file', (createDatabase) => {
  let database: TestDatabase;
  let folder: string;

  beforeEach(async () => {
    database = await createDatabase();
    folder = mkdtempSync(join(tmpdir(), 'relayer-signing-key-'));
  });

  afterEach(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  it('stays as it is stored, and the log says if that of the file has changed', async () => {
    const CONFIG_FILE = join(folder, 'config.json');
    const signing_key = { type: 'env', value: 'CHANGING_KEY' };
    const notification = { id: 'ops', type: 'webhook', url: 'https://hooks.example.com', signing_key };
    writeFileSync(CONFIG_FILE, JSON.stringify({ notifications: [notification], networks: [] }));
    const keys = { API_KEY: apiKey('signing-key'), STORAGE_ENCRYPTION_KEY: storageKey(1) };
    const differences = async (key?: string) => {
      const changing = key === undefined ? {} : { CHANGING_KEY: key };
      const service = await TestApplication.start(database, { ...keys, ...changing, CONFIG_FILE });
      for (const secret of [FIRST, SECOND]) service.keepSecret(secret);
      const lines = service.logs.filter((line) => line.includes('differs from the configuration file'));
      await service.close();
      return lines.map((line) => (JSON.parse(line) as { fields: string[] }).fields);
    };
    expect(await differences(FIRST)).toEqual([]);
    expect(await differences(FIRST)).toEqual([]);
    expect(await differences(SECOND)).toEqual([['signing_key']]);
    expect(await differences()).toEqual([]);
  });
});
