import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUILT_IN_NETWORKS } from '../../src/networks/built-in-networks';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { until } from '../support/private-servers';
import { rounds } from '../support/rounds';
import { RotationProcess, StoredSecrets } from '../support/stored-secrets';

const [OLD, NEW, OTHER] = [1, 2, 3].map(() => randomBytes(32).toString('base64')) as [string, string, string];
const NETWORKS = BUILT_IN_NETWORKS.size;
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };
const KILLS = rounds(20, 4);
/** Heads of audit chains: the register, and the chain of the service. */
const HEADS = 2;
const CHECKED = 'need rotation\n';
const STOPPED = 'Stopped before the end. Run it again to continue with the rest\n';

describeOnDatabases('Rotation of the storage key', (createDatabase) => {
  let database: TestDatabase;
  let store: StoredSecrets;
  let service: TestApplication | undefined;

  beforeEach(async () => {
    database = await createDatabase();
    // The first start creates the tables, which then receive the key of the relayer that signs.
    service = await start(OLD);
    await addRelayer(service, { id: 'signs' });
    store = await StoredSecrets.open(database);
  });

  afterEach(async () => {
    await service?.close();
    await store.close();
    await database.drop();
  });

  const start = (...keys: string[]) =>
    TestApplication.start(database, { STORAGE_ENCRYPTION_KEY: keys.join() });

  const restart = async (...keys: string[]): Promise<TestApplication> => {
    await service?.close();
    service = undefined;
    return (service = await start(...keys));
  };

  const rotate = async (...keys: string[]) => {
    const rotation = new RotationProcess(database, ...keys);
    const code = await rotation.ended;
    const texts = [...(await store.sealed()).values(), OLD, NEW, OTHER];
    const shown = texts.filter((text) => `${rotation.stdout}${rotation.stderr}`.includes(text));
    expect(shown).toEqual([]);
    return { code, stdout: rotation.stdout, stderr: rotation.stderr };
  };

  const expectServiceWithNewKeyAlone = async (): Promise<void> => {
    expect(await store.left(NEW)).toBe(0);
    expect(await store.faults(NEW)).toEqual([]);
    const restarted = await restart(NEW);
    expect((await restarted.get('/api/v1/relayers?per_page=1000')).status).toBe(200);
    expect((await restarted.post('/api/v1/relayers/signs/sign-typed-data', HASHES)).status).toBe(200);
  };

  it('re-encrypts every secret, and changes nothing else', async () => {
    await store.fill(OLD, 120);
    const [secrets, rest] = [await store.texts(OLD), await store.dumpWithoutSecrets()];
    expect(await rotate(NEW, OLD)).toEqual({
      code: 0,
      stdout:
        `Each of the ${362 + NETWORKS + HEADS} records can be used, ${362 + NETWORKS + HEADS} need rotation\n` +
        'signers: 121 of 121 rotated\n' +
        'notifications: 120 of 120 rotated\n' +
        `networks: ${NETWORKS} of ${NETWORKS} rotated\n` +
        'relayers: 121 of 121 rotated\n' +
        'transactions: 0 of 0 rotated\n' +
        'change_requests: 0 of 0 rotated\n' +
        'api_keys: 0 of 0 rotated\n' +
        `audit_chains: ${HEADS} of ${HEADS} rotated\n` +
        'Each of these records uses the first storage key\n',
      stderr: '',
    });
    expect(await store.texts(NEW)).toEqual(secrets);
    expect(await store.dumpWithoutSecrets()).toEqual(rest);
    expect(await rotate(NEW)).toEqual({
      code: 0,
      stdout: `Each of the ${362 + NETWORKS + HEADS} records can be used, 0 need rotation\nEach of these records uses the first storage key\n`,
      stderr: '',
    });
    await expectServiceWithNewKeyAlone();
  });

  it('reports the rows whose key is wrong or missing, and changes nothing', async () => {
    await store.fill(OLD, 130);
    const before = await store.dump();
    for (const keys of [[NEW], [NEW, OTHER]]) {
      const { code, stdout, stderr } = await rotate(...keys);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      const lines = stderr.trimEnd().split('\n');
      const fault = 'has a MAC of a storage key that is not configured';
      expect(lines.map((line) => line.split(/: (?=row-|signer-|evm:|relayer-|signs|0, 1)/)[0])).toEqual([
        `signers: 131 of 131 ${fault}`,
        `notifications: 130 of 130 ${fault}`,
        `networks: ${NETWORKS} of ${NETWORKS} ${fault}`,
        `relayers: 131 of 131 ${fault}`,
        `audit_chains: ${HEADS} of ${HEADS} ${fault}`,
        'Nothing was changed: STORAGE_ENCRYPTION_KEY must have the key of every record, and storage:verify must find no fault',
      ]);
      expect([lines[0], lines[1], lines[3]].map((line) => line?.match(/row-\d{5}/g)?.length)).toEqual([
        100, 100, 100,
      ]);
      expect(lines[1]).toMatch(/row-00099 and 30 more$/);
      expect(await store.dump()).toBe(before);
    }
  });

  it('changes nothing if a single row was altered', async () => {
    await store.fill(OLD, 130);
    await store.dataSource.query("UPDATE relayers SET custom_rpc_urls = 'damaged' WHERE id = 'row-00129'");
    const before = await store.dump();
    expect(await rotate(NEW, OLD)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'relayers: 1 of 131 does not match its MAC: row-00129\n' +
        'Nothing was changed: STORAGE_ENCRYPTION_KEY must have the key of every record, and storage:verify must find no fault\n',
    });
    expect(await store.dump()).toBe(before);
  });

  it('loses no change that the service makes in the meantime', async () => {
    await store.fill(OLD, 300);
    const running = await restart(NEW, OLD);
    const expected = await store.texts(OLD);
    const rotation = new RotationProcess(database, NEW, OLD);

    /** Three changes at once, two of them to the same row. */
    const change = async (row: string): Promise<number[]> => {
      const [key, path] = [randomBytes(24).toString('hex'), randomBytes(16).toString('hex')];
      const urls = [{ url: `https://rpc.example/${path}`, weight: 7 }];
      const responses = await Promise.all([
        running.patch(`/api/v1/notifications/${row}`, { signing_key: key }),
        running.patch(`/api/v1/relayers/${row}`, { custom_rpc_urls: urls }),
        running.patch(`/api/v1/relayers/${row}`, { name: path }),
      ]);
      // The replaced key still signs for a while.
      expected.set(
        `notifications.previous_signing_key ${row}`,
        expected.get(`notifications.signing_key ${row}`)!,
      );
      expected.set(`notifications.signing_key ${row}`, key);
      expected.set(`relayers.custom_rpc_urls ${row}`, JSON.stringify(urls));
      return responses.map(({ status }) => status);
    };

    await rotation.untilPrinted(CHECKED);
    let changes = 0;
    // One change each: a webhook that loses a key sends its receiver a message, and their number is limited.
    for (; changes < 300 && rotation.child.exitCode === null; changes += 1) {
      const row = `row-${String((changes * 101) % 300).padStart(5, '0')}`;
      expect(await change(row)).toEqual([200, 200, 200]);
    }
    expect(changes).toBeGreaterThan(20);
    expect({ code: await rotation.ended, stderr: rotation.stderr }).toEqual({ code: 0, stderr: '' });
    expect(await store.texts(NEW)).toEqual(expected);
    await expectServiceWithNewKeyAlone();
  });

  it(`survives SIGKILL at ${KILLS} moments next to a running service, and completes when resumed`, async () => {
    await store.fill(OLD, 700);
    const running = await restart(NEW, OLD);
    const [secrets, rest] = [await store.texts(OLD), await store.dumpWithoutSecrets()];
    const left = [await store.left(NEW)];
    expect(left).toEqual([2102 + NETWORKS + HEADS]);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const rotation = new RotationProcess(database, NEW, OLD);
      await rotation.untilPrinted(CHECKED);
      await sleep(randomInt(100));
      // Any moment may be the one, but half of the kills must hit during work however slow the machine is.
      const previous = left.at(-1)!;
      if (kill % 2 === 0) await until('a record', async () => (await store.left(NEW)) < previous);
      rotation.child.kill('SIGKILL');
      expect(await rotation.ended).toBe('SIGKILL');
      expect(await store.texts(NEW, OLD)).toEqual(secrets);
      expect(await store.faults(NEW, OLD)).toEqual([]);
      expect((await running.post('/api/v1/relayers/signs/sign-typed-data', HASHES)).status).toBe(200);
      left.push(await store.left(NEW));
    }
    // Each run continued where the previous run was killed, and none completed.
    expect(left).toEqual(left.toSorted((a, b) => b - a));
    expect(new Set(left).size).toBeGreaterThan(KILLS / 2);
    const open = left.at(-1)!;
    expect(open).toBeGreaterThan(0);
    const resumed = await rotate(NEW, OLD);
    expect(resumed).toMatchObject({ code: 0, stderr: '' });
    // The signatures of the running service have started a separate audit chain.
    expect(resumed.stdout).toMatch(
      `Each of the ${2102 + NETWORKS + HEADS + 1} records can be used, ${open} need rotation`,
    );
    expect(await store.texts(NEW)).toEqual(secrets);
    expect(await store.dumpWithoutSecrets()).toEqual(rest);
    await expectServiceWithNewKeyAlone();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('stops after the current record on %s', async (signal) => {
    await store.fill(OLD, 200);
    const secrets = await store.texts(OLD);
    const rotation = new RotationProcess(database, NEW, OLD);
    await rotation.untilPrinted(CHECKED);
    rotation.child.kill(signal);
    expect({ code: await rotation.ended, stderr: rotation.stderr }).toEqual({ code: 1, stderr: STOPPED });
    const left = await store.left(NEW);
    expect(left).toBeGreaterThan(0);
    expect(await store.texts(NEW, OLD)).toEqual(secrets);
    expect(await rotate(NEW, OLD)).toMatchObject({ code: 0 });
    expect(await store.texts(NEW)).toEqual(secrets);
  });

  it('prevents an instance without the old key from starting while a secret still uses that key', async () => {
    await store.fill(OLD, 1);
    await rotate(NEW, OLD);
    await store.fillOne(OLD, 'late');
    await expect(restart(NEW)).rejects.toMatchObject({
      faults: [expect.stringMatching(/^STORAGE_ENCRYPTION_KEY lacks a key .* of row late names the key/)],
    });
    expect(await rotate(NEW, OLD)).toMatchObject({ code: 0 });
    await expectServiceWithNewKeyAlone();
  });
});

describe('Rotation without a database', () => {
  it('does not create one', async () => {
    const rotation = new RotationProcess(
      { url: 'sqlite:/nowhere/relayer.sqlite', drop: () => Promise.resolve() },
      NEW,
      OLD,
    );
    expect(await rotation.ended).toBe(1);
    expect(rotation.stderr).toMatch(
      /^DATABASE_URL names the file \/nowhere\/relayer\.sqlite, which is not there: /,
    );
  });

  it('reports an unreachable server', async () => {
    const rotation = new RotationProcess(
      { url: 'mysql://u:s3cret-password@127.0.0.1:1/x', drop: () => Promise.resolve() },
      NEW,
      OLD,
    );
    expect(await rotation.ended).toBe(1);
    expect(rotation.stderr).toContain('ECONNREFUSED');
    expect(rotation.stderr).not.toContain('s3cret-password');
  });
});
