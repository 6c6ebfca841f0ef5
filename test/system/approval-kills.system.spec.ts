import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ObservedDatabase, ServerDatabase, SqliteFile } from '../../bench/deliveries/database';
import { Fleet } from '../../bench/deliveries/fleet';
import { bearer } from '../support/api-keys';
import type { HttpResponse } from '../support/http';
import { rounds } from '../support/rounds';
import { CommandProcess } from '../support/stored-secrets';

const { TEST_MARIADB_URL } = process.env;
/** Rounds on each of the two databases, with one kill each. `TEST_KILLS` sets the number for a long run. */
const ROUNDS = Number(process.env.TEST_KILLS ?? rounds(8, 3));
/** Changes that are being decided when an instance is killed. */
const CHANGES = 12;
/**
 * If all kills miss the moment between a last approval and its change, more rounds follow: up to this many times
 * `ROUNDS`.
 */
const MAX_REPEATS = 5;
const MAIN = join(__dirname, '../../dist/main.js');

type Changes = Record<string, { before: unknown; after: unknown }>;

interface AuditRow {
  action: string;
  relayer_id: string;
  /** A string if the driver does not parse JSON. */
  changes: string | Changes;
}

/** The state of a change, according to the API and to the audit log. */
interface State {
  status: string;
  paused: boolean;
  /** Numbers of audit rows in this round: for applying the change, and for resuming its relayer. */
  recorded: { applied: number; resumed: number };
}

const PENDING: State = { status: 'pending', paused: true, recorded: { applied: 0, resumed: 0 } };
const APPLIED: State = { status: 'applied', paused: false, recorded: { applied: 1, resumed: 1 } };

/** The number of audit rows for each applied change and for each resumed relayer, by id. */
async function readRecorded(database: ObservedDatabase): Promise<Map<string, number>> {
  const rows = await database.query<AuditRow>(
    "SELECT action, relayer_id, changes FROM audit_events WHERE action IN ('change.apply', 'relayer.update')",
  );
  const counts = new Map<string, number>();
  for (const { action, relayer_id: relayer, changes: stored } of rows) {
    const changes = typeof stored === 'string' ? (JSON.parse(stored) as Changes) : stored;
    const isResumed = action === 'relayer.update' && changes.paused?.after === false;
    if (action !== 'change.apply' && !isResumed) continue;
    const id = isResumed ? relayer : String(changes.id?.after);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Paused relayers whose resumption needs the approval of two keys. */
class Resumptions {
  /** Changes that had their approvals when the instance was killed, but were not applied. */
  left = 0;

  private constructor(
    private readonly fleet: Fleet,
    private readonly database: ObservedDatabase,
    private readonly relayers: readonly string[],
    private readonly keys: readonly string[],
  ) {}

  static async prepare(fleet: Fleet, database: ObservedDatabase): Promise<Resumptions> {
    const relayers = await fleet.addRelayers(Array<string>(CHANGES).fill('http://127.0.0.1:9/'), true);
    const keys = await Promise.all(
      ['First', 'Last'].map(async (name) => {
        const body = { name, scopes: ['approve'] };
        const response = await fleet.exchange(0, { method: 'POST', path: '/api/v1/api-keys', body });
        return response.body.data.key as string;
      }),
    );
    return new Resumptions(fleet, database, relayers, keys);
  }

  /** Kills an instance while changes receive their last approval, then applies the changes that are still pending. */
  async round(killed: number): Promise<void> {
    const changes = await Promise.all(this.relayers.map((relayer) => this.request(relayer)));
    const started = performance.now();
    for (const id of changes) expect((await this.approve(id, 0)).status).toBe(200);
    // About the time that the last approvals take on this machine under its current load.
    const longestPauseMs = performance.now() - started;
    const before = await readRecorded(this.database);
    const { instances } = this.fleet;
    const approvals = changes.map((id, i) =>
      // A killed instance sends no response.
      this.approve(id, 1, i % instances.length).catch(() => undefined),
    );
    await sleep(Math.random() * longestPauseMs);
    await this.fleet.killAndStart(killed);
    await Promise.all(approvals);

    const states = await this.states(changes, before);
    for (const state of states) expect([PENDING, APPLIED]).toContainEqual(state);
    for (const [i, { status }] of states.entries())
      if (status === 'pending') await this.approveAgain(changes[i] ?? '');
    expect(await this.states(changes, before)).toEqual(changes.map(() => APPLIED));
  }

  private async request(relayer: string): Promise<string> {
    const patch = (paused: boolean): Promise<HttpResponse> =>
      this.fleet.exchange(0, { method: 'PATCH', path: `/api/v1/relayers/${relayer}`, body: { paused } });
    expect((await patch(true)).status).toBe(200);
    const { status, body } = await patch(false);
    expect(status).toBe(202);
    return body.data.id as string;
  }

  private approve(id: string, key: number, instance = 0): Promise<HttpResponse> {
    return this.fleet.exchange(instance, {
      ...{ method: 'POST', path: `/api/v1/changes/${id}/approve` },
      headers: bearer(this.keys[key] ?? ''),
    });
  }

  /**
   * The first key can approve again if the approval of the last key was committed; otherwise the last key has to
   * approve.
   */
  private async approveAgain(id: string): Promise<void> {
    const again = await this.approve(id, 0);
    if (again.status === 200) {
      this.left += 1;
      return;
    }
    expect([again.status, again.body.message]).toEqual([409, 'Change already approved']);
    expect((await this.approve(id, 1)).status).toBe(200);
  }

  private async states(changes: readonly string[], before: Map<string, number>): Promise<State[]> {
    const recorded = await readRecorded(this.database);
    const get = async (path: string) => (await this.fleet.exchange(0, { path: `/api/v1/${path}` })).body.data;
    return Promise.all(
      changes.map(async (id, i) => {
        const relayer = this.relayers[i] ?? '';
        return {
          status: (await get(`changes/${id}`)).status as string,
          paused: (await get(`relayers/${relayer}`)).paused as boolean,
          recorded: {
            applied: recorded.get(id) ?? 0,
            resumed: (recorded.get(relayer) ?? 0) - (before.get(relayer) ?? 0),
          },
        };
      }),
    );
  }
}

async function expectAppliedOnce(database: ObservedDatabase, instances: number): Promise<void> {
  const key = randomBytes(32).toString('base64');
  const fleet = await Fleet.create({
    instances,
    database: database.url,
    env: { STORAGE_ENCRYPTION_KEY: key, APPROVALS: 'unpause=2' },
  });
  try {
    const resumptions = await Resumptions.prepare(fleet, database);
    for (
      let round = 0;
      round < ROUNDS || (resumptions.left === 0 && round < MAX_REPEATS * ROUNDS);
      round += 1
    )
      await resumptions.round(round % instances);
    expect(resumptions.left).toBeGreaterThanOrEqual(1);
  } finally {
    await fleet.destroy();
  }
  const testDatabase = { url: database.url, drop: () => Promise.resolve() };
  const command = new CommandProcess(['commands/audit-verify.js'], testDatabase, key);
  expect({ code: await command.ended, stderr: command.stderr }).toEqual({ code: 0, stderr: '' });
}

describe('Changes of a service that is killed during their approval', () => {
  beforeAll(() => {
    expect(existsSync(MAIN)).toBe(true);
  });

  it('are pending or applied once, in agreement with the audit log, on SQLite', async () => {
    const database = SqliteFile.create();
    await expectAppliedOnce(database, 1);
    await database.drop();
  }, 1_200_000);

  (TEST_MARIADB_URL ? it : it.skip)(
    'are pending or applied once, in agreement with the audit log, with two instances on MariaDB',
    async () => {
      const database = await ServerDatabase.create(TEST_MARIADB_URL ?? '');
      await expectAppliedOnce(database, 2);
      await database.drop();
    },
    1_200_000,
  );
});
