import { TestApplication } from '../support/application';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { storageKey } from '../support/keys';
import { CommandProcess, StoredSecrets } from '../support/stored-secrets';

const KEY = storageKey(1);
const OTHER_KEY = storageKey(2);
const LACKING = 'STORAGE_ENCRYPTION_KEY lacks a key that this database was written with: ';

describeOnDatabases('A command', (createDatabase) => {
  let database: TestDatabase;
  let store: StoredSecrets;

  beforeEach(async () => {
    database = await createDatabase();
    store = await StoredSecrets.open(database);
    const service = await TestApplication.start(database, { STORAGE_ENCRYPTION_KEY: KEY, CONFIG_FILE: '' });
    await service.close();
  });

  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  const run = async (key: string, script: string, ...args: string[]) => {
    const command = new CommandProcess([`commands/${script}.js`, ...args], database, key);
    const code = await command.ended;
    return { code, stdout: command.stdout, stderr: command.stderr };
  };

  const query = <T>(statement: string, values: unknown[] = []): Promise<T[]> =>
    store.dataSource.query<T[]>(statement, values);

  const content = async (): Promise<unknown[]> =>
    Promise.all([
      query('SELECT * FROM networks ORDER BY id'),
      query('SELECT * FROM audit_chains ORDER BY id'),
      query('SELECT * FROM audit_events ORDER BY chain, sequence'),
    ]);

  it.each([['--all'], ['networks:evm:sepolia'], ['audit_chains:1'], ['audit_chains:0']])(
    'reseals nothing with a key that is not that of the database: %s',
    async (row) => {
      await query("UPDATE networks SET mac = NULL WHERE id = 'evm:sepolia'");
      await query("UPDATE networks SET rpc_urls = NULL WHERE id = 'evm:sepolia'");
      const before = await content();
      expect(await run(OTHER_KEY, 'storage-reseal', row)).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^${LACKING}.* which is not in the list\\n$`)),
      });
      expect(await content()).toEqual(before);
    },
  );

  it('reseals rows whose MAC names a key that never existed', async () => {
    await query(
      "UPDATE networks SET mac = CONCAT('m1.aaaaaaaaaaaa.', SUBSTR(mac, 17)) WHERE id LIKE 'evm:s%'",
    );
    const rows = await query<{ id: string }>("SELECT id FROM networks WHERE id LIKE 'evm:s%'");
    expect(await run(KEY, 'storage-reseal', `networks:${rows[0]?.id}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('names the key aaaaaaaaaaaa'),
    });
    const all = rows.map(({ id }) => `networks:${id}`);
    expect(await run(KEY, 'storage-reseal', ...all)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(KEY, 'storage-verify')).toMatchObject({ code: 0 });
  });

  it.each([
    ['storage-reseal', 'networks:evm:sepolia'],
    ['api-key', 'create', '--name', 'x', '--scopes', 'freeze'],
  ])('changes nothing if the register of the audit log was altered: %s', async (script, ...args) => {
    await query("UPDATE audit_chains SET sequence = 7 WHERE id = '0'");
    const before = await content();
    const { code, stdout, stderr } = await run(KEY, script, ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('Row 0 of audit_chains was altered outside of the service');
    expect(stderr).not.toContain('    at ');
    expect(stderr).not.toContain(String.raw`\n    at`);
    expect(await content()).toEqual(before);
  });

  it('names the key that the audit log needs and that the settings lack', async () => {
    const [register] = await query<{ mac: string }>("SELECT mac FROM audit_chains WHERE id = '0'");
    expect(await run(OTHER_KEY, 'audit-verify')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `the register of chains has a MAC of the storage key ${register?.mac.slice(3, 15)},` +
        ' which STORAGE_ENCRYPTION_KEY does not list: append that key and verify again; if there was no such key, the row was altered\n',
    });
  });
});
