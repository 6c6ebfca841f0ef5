/** Measures how fast events reach their receivers while some of those hang. */
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from '../process';
import type { Row } from '../report';
import type { PrivateRedis } from '../../test/support/private-servers';
import { Changes } from './changes';
import type { ObservedDatabase } from './database';
import { Fleet } from './fleet';
import { type ReceivedEvent, Receivers } from './receivers';

const ARRIVED_MS = 300_000;

interface Extent {
  database: ObservedDatabase;
  redis?: PrivateRedis;
  events: number;
  count: number;
  hanging: number;
}

export interface Measured extends Row {
  missing: number;
}

/**
 * Creates `events` events for `count` receivers, the first `hanging` of which never respond. Then delivers as many
 * again that are all due at the same time.
 *
 * @returns events per second; p50 and p99 from event to arrival at receivers that respond, in milliseconds; the number
 * that did not arrive there
 */
export async function measure({ database, redis, events, count, hanging }: Extent): Promise<Measured> {
  const receivers = await Receivers.create(count, hanging);
  const fleet = await Fleet.create({ database: database.url, ...(redis && { redis: redis.url }) });
  try {
    const relayers = await fleet.addRelayers(receivers.urls);
    const table = new Table(database, relayers.slice(hanging));
    const { pid } = fleet.processOf(0);
    const start = Date.now();
    const cpu = cpuSeconds(pid);
    const changes = new Changes(fleet, relayers);
    await changes.make(events);
    const made = Date.now();
    await table.untilDelivered();
    const arrived = [...receivers.received.values()].filter(({ index }) => index >= hanging);
    const latencies = arrived.map(({ madeAt, arrivals }) => arrivals[0]! - madeAt).sort((a, b) => a - b);
    const missing = (await table.count()) - arrived.length;
    return {
      events: changes.acknowledged.size,
      'to healthy ones': arrived.length,
      missing,
      'CPU ms/event': milliseconds(cpuSeconds(pid) - cpu, changes.acknowledged.size),
      'created/s': perSecond(changes.acknowledged.size, made - start),
      'delivered/s': perSecond(arrived.length, lastOf(arrived) - start),
      'p50 ms': latencies[Math.floor(latencies.length * 0.5)],
      'p99 ms': latencies[Math.floor(latencies.length * 0.99)],
      ...(await drain(table, receivers, hanging, pid)),
    };
  } finally {
    await fleet.destroy();
    await receivers.destroy();
  }
}

/** Measures deliveries while nothing else is going on. */
async function drain(table: Table, receivers: Receivers, hanging: number, pid: number): Promise<Row> {
  receivers.received.clear();
  const start = Date.now();
  const cpu = cpuSeconds(pid);
  await table.repeat();
  await table.untilDelivered();
  const arrived = [...receivers.received.values()].filter(({ index }) => index >= hanging);
  return {
    'backlog: delivered/s': perSecond(arrived.length, lastOf(arrived) - start),
    'CPU ms/delivery': milliseconds(cpuSeconds(pid) - cpu, arrived.length),
  };
}

/** The deliveries to receivers that respond. */
class Table {
  private readonly healthy: string;

  constructor(
    private readonly database: ObservedDatabase,
    notifications: string[],
  ) {
    this.healthy = `notification_id IN (${notifications.map((id) => `'${id}'`).join()})`;
  }

  async count(state = '%'): Promise<number> {
    const statement = `SELECT COUNT(*) AS number FROM deliveries WHERE state LIKE '${state}' AND ${this.healthy}`;
    return Number((await this.database.query<{ number: number | string }>(statement))[0]!.number);
  }

  async untilDelivered(): Promise<void> {
    const end = Date.now() + ARRIVED_MS;
    while ((await this.count('pending')) > 0 && Date.now() < end) await sleep(500);
  }

  /** Repeats each delivery, due at the same time as the first one. */
  async repeat(): Promise<void> {
    await this.database.query(`INSERT INTO deliveries
      (id, notification_id, event, payload, state, attempts, give_up_at, next_attempt_at, created_at)
      SELECT ${this.database.newId}, notification_id, event, payload, 'pending', 0, give_up_at, created_at, created_at
      FROM deliveries WHERE ${this.healthy}`);
  }
}

const lastOf = (arrived: ReceivedEvent[]): number =>
  arrived.reduce((last, { arrivals }) => Math.max(last, arrivals[0]!), 0);

const milliseconds = (seconds: number, count: number): string => ((seconds * 1000) / count).toFixed(2);

const perSecond = (count: number, elapsed: number): number => Math.round((count / elapsed) * 1000);
