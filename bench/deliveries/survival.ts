/** Kills the service while events are created, and compares what its receivers got with its table. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PrivateRedis } from '../../test/support/private-servers';
import { Changes } from './changes';
import type { ObservedDatabase } from './database';
import { Fleet } from './fleet';
import { Receivers } from './receivers';

const RECEIVERS = 16;
const DRAINED_MS = 300_000;
const FLUSH_EVERY = 5;

/** The result when everything is over. */
export interface Survival {
  acknowledged: number;
  rows: number;
  received: number;
  /** Arrivals beyond the first. */
  doubles: number;
  /** Rows whose event no receiver got. */
  missing: number;
  undelivered: number;
  /** Events that were received but have no row. */
  unknown: number;
  /** Acknowledged changes without an event. */
  forgotten: number;
}

interface Subject {
  database: ObservedDatabase;
  redis?: PrivateRedis;
  instances?: number;
  events: number;
  kills: number;
  /** Called with the progress. */
  report?: (line: string) => void;
}

/**
 * Creates `events` events while instances are killed `kills` times, evenly distributed among them. If there is a Redis,
 * it is flushed at every fifth kill, and unavailable for a tenth of the time.
 *
 * @returns counts; `missing`, `undelivered`, `unknown` and `forgotten` are 0 if nothing was lost
 */
export async function survive({
  database,
  redis,
  instances = 1,
  events,
  kills,
  report = () => undefined,
}: Subject): Promise<Survival> {
  const receivers = await Receivers.create(RECEIVERS);
  const fleet = await Fleet.create({
    instances,
    database: database.url,
    ...(redis && { redis: redis.url }),
    env: { WEBHOOK_TIMEOUT_SECONDS: '2' },
  });
  try {
    const changes = new Changes(fleet, await fleet.addRelayers(receivers.urls));
    for (let kill = 0; kill < kills; kill += 1) {
      await trouble(redis, kill, kills);
      const made = changes.make(((kill + 1) * events) / kills);
      await untilMade(changes, ((kill + Math.random()) * events) / kills);
      await fleet.killAndStart(Math.floor(Math.random() * instances));
      await made;
      if (kill % 20 === 19) report(`${kill + 1} kills, ${changes.acknowledged.size} events acknowledged`);
    }
    await drained(database);
    return await compare(database, receivers, changes);
  } finally {
    await fleet.destroy();
    await receivers.destroy();
  }
}

async function untilMade(changes: Changes, count: number): Promise<void> {
  while (changes.acknowledged.size < count) await sleep(5);
}

async function trouble(redis: PrivateRedis | undefined, kill: number, kills: number): Promise<void> {
  if (!redis) return;
  const lost = Math.floor(kills / 2);
  const back = lost + Math.ceil(kills / 10);
  if (kill === lost) await redis.stop('SIGKILL');
  else if (kill === back) await redis.start();
  else if (kill % FLUSH_EVERY === FLUSH_EVERY - 1 && (kill < lost || kill > back)) await redis.flush();
}

async function drained(database: ObservedDatabase): Promise<void> {
  const end = Date.now() + DRAINED_MS;
  const pending = "SELECT COUNT(*) AS waiting FROM deliveries WHERE state = 'pending'";
  while (
    Number((await database.query<{ waiting: number | string }>(pending))[0]!.waiting) > 0 &&
    Date.now() < end
  )
    await sleep(500);
}

async function compare(
  database: ObservedDatabase,
  receivers: Receivers,
  changes: Changes,
): Promise<Survival> {
  const rows = await database.query<{ id: string; state: string; payload: unknown }>(
    'SELECT id, state, payload FROM deliveries',
  );
  const ids = new Set(rows.map(({ id }) => id));
  const reported = new Set(rows.map(({ payload }) => nameIn(payload)));
  const received = [...receivers.received];
  return {
    acknowledged: changes.acknowledged.size,
    rows: rows.length,
    received: received.length,
    doubles: received.reduce((sum, [, { arrivals }]) => sum + arrivals.length - 1, 0),
    missing: rows.filter(({ id }) => !receivers.received.has(id)).length,
    undelivered: rows.filter(({ state }) => state !== 'delivered').length,
    unknown: received.filter(([id]) => !ids.has(id)).length,
    forgotten: [...changes.acknowledged].filter((name) => !reported.has(name)).length,
  };
}

function nameIn(payload: unknown): string {
  const event = typeof payload === 'string' ? (JSON.parse(payload) as unknown) : payload;
  return (event as { relayer: { name: string } }).relayer.name;
}
