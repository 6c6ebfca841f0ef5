import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ObservedDatabase, ServerDatabase, SqliteFile } from '../../bench/deliveries/database';
import { Fleet } from '../../bench/deliveries/fleet';
import { typedDataDigest } from '../../src/chains/evm/typed-data/typed-data-digest';
import { rounds } from '../support/rounds';
import { CommandProcess } from '../support/stored-secrets';

const { TEST_MARIADB_URL } = process.env;
/** Kills on each of the two databases. `TEST_KILLS` sets the number for a long run. */
const KILLS = Number(process.env.TEST_KILLS ?? rounds(15, 3));
const CALLERS = 16;
const SIGNED_BETWEEN_KILLS = 60;
const MAIN = join(__dirname, '../../dist/main.js');
const DOMAIN = randomBytes(32).toString('hex');

/** Clients that sign without pause and record the signatures that they receive. */
class Signing {
  /** Digests of the signatures that clients received. */
  readonly received: string[] = [];
  private isOver = false;
  private readonly callers: Promise<void>[];

  constructor(
    private readonly fleet: Fleet,
    private readonly relayerId: string,
  ) {
    this.callers = Array.from({ length: CALLERS }, (_, caller) => this.sign(caller));
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.callers);
  }

  async until(count: number): Promise<void> {
    const end = Date.now() + 60_000;
    while (this.received.length < count) {
      if (Date.now() > end) throw new Error(`Only ${this.received.length} of ${count} signatures`);
      await sleep(5);
    }
  }

  private async sign(caller: number): Promise<void> {
    const instance = caller % this.fleet.instances.length;
    for (let number = caller; !this.isOver; number += CALLERS) {
      // Every fourth call signs a batch.
      const hashes = Array.from({ length: number % 4 === 0 ? 5 : 1 }, () => randomBytes(32).toString('hex'));
      const digests = hashes.map((hash) => Buffer.from(typedDataDigest(DOMAIN, hash)).toString('hex'));
      const items = hashes.map((hash) => ({
        domain_separator: DOMAIN,
        hash_struct_message: hash,
      }));
      const path = `/api/v1/relayers/${this.relayerId}/sign-typed-data`;
      const call =
        items.length === 1
          ? { path, method: 'POST', body: items[0] }
          : { path: `${path}/batch`, method: 'POST', body: { items } };
      try {
        const { status } = await this.fleet.exchange(instance, call);
        if (status === 200) this.received.push(...digests);
        else await sleep(20);
      } catch {
        await sleep(20);
      }
    }
  }
}

async function expectAllRecorded(database: ObservedDatabase, instances: number): Promise<void> {
  const key = randomBytes(32).toString('base64');
  const fleet = await Fleet.create({
    instances,
    database: database.url,
    env: { STORAGE_ENCRYPTION_KEY: key },
  });
  let signing: Signing | undefined;
  try {
    const [relayer] = await fleet.addRelayers(['http://127.0.0.1:9/']);
    signing = new Signing(fleet, relayer ?? '');
    for (let kill = 0; kill < KILLS; kill += 1) {
      await signing.until(signing.received.length + SIGNED_BETWEEN_KILLS);
      await fleet.killAndStart(kill % instances);
    }
    await signing.stop();
  } finally {
    await signing?.stop();
    await fleet.destroy();
  }
  const rows = await database.query<{ digest: string }>(
    "SELECT digest FROM audit_events WHERE action = 'signature.create' AND outcome = 'success'",
  );
  const recorded = new Set(rows.map(({ digest }) => digest));
  expect(signing.received.length).toBeGreaterThanOrEqual(KILLS * SIGNED_BETWEEN_KILLS);
  expect(signing.received.filter((digest) => !recorded.has(digest))).toEqual([]);
  const chains = await database.query<{ id: string }>("SELECT id FROM audit_chains WHERE id <> '0'");
  expect(chains.length).toBeGreaterThan(KILLS);
  const testDatabase = { url: database.url, drop: () => Promise.resolve() };
  const command = new CommandProcess(['commands/audit-verify.js'], testDatabase, key);
  expect({ code: await command.ended, stderr: command.stderr }).toEqual({ code: 0, stderr: '' });
}

describe('Signatures of a service that is killed while it signs', () => {
  beforeAll(() => {
    expect(existsSync(MAIN)).toBe(true);
  });

  it('all have a row in a chain that verifies, on SQLite', async () => {
    const database = SqliteFile.create();
    await expectAllRecorded(database, 1);
    await database.drop();
  }, 3_600_000);

  (TEST_MARIADB_URL ? it : it.skip)(
    'all have a row in a chain that verifies, with two instances on MariaDB',
    async () => {
      const database = await ServerDatabase.create(TEST_MARIADB_URL ?? '');
      await expectAllRecorded(database, 2);
      await database.drop();
    },
    3_600_000,
  );
});
