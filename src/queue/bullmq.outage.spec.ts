import { randomUUID } from 'node:crypto';
import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { PrivateRedis, type PrivateServer } from '../../test/support/private-servers';
import { BullMqQueue, QUEUE_CONNECTION } from './bullmq.queue';
import { eventually, FakeCounter } from './job-queue.contract';

(process.env.TEST_REDIS_URL ? describe : describe.skip)('BullMqQueue in an outage', () => {
  let server: PrivateServer;
  let admin: Redis;
  let client: Redis;
  let counter: FakeCounter;
  let queue: BullMqQueue;
  let worked: string[];

  beforeAll(async () => {
    server = await PrivateRedis.create();
    admin = new Redis(server.url);
    admin.on('error', () => undefined);
  });

  afterEach(() => queue.close());

  afterAll(async () => {
    admin.disconnect();
    await server.destroy();
  });

  const open = (): void => {
    client = new Redis(server.url, QUEUE_CONNECTION);
    client.on('error', () => undefined);
    counter = new FakeCounter();
    queue = new BullMqQueue(bullmq, `test-${randomUUID()}`, client, counter);
    worked = [];
  };
  const work = (): void => {
    queue.process(5, (id) => {
      worked.push(id);
      return Promise.resolve();
    });
  };
  /** Work that is under way and, behind it, ids that the worker would go on with at once. */
  const workThatLastsWith = async (ids: number): Promise<void> => {
    queue.process(5, async (id) => {
      worked.push(id);
      await new Promise((resolve) => setTimeout(resolve, 50));
    });
    await ready();
    await queue.add(Array.from({ length: ids }, (_, i) => `id-${i}`));
    await eventually(() => worked.length >= 5);
  };
  const ready = () => eventually(() => client.status === 'ready');
  /** Adds until one arrives, as whoever sweeps up does. */
  const arrives = (id: string): Promise<void> =>
    eventually(async () => {
      await queue.add([id]);
      return worked.includes(id);
    });
  /** The longest of some additions, in milliseconds. */
  const slowestOf = async (additions: number): Promise<number> => {
    let slowest = 0;
    for (let i = 0; i < additions; i += 1) {
      const begin = performance.now();
      await queue.add([`lost-${i}`]);
      slowest = Math.max(slowest, performance.now() - begin);
    }
    return slowest;
  };
  const scriptsRun = async (): Promise<number> =>
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(await admin.info('commandstats'))![1]);

  /** Two connections of a queue would connect again within 2 s. */
  const connections = async (): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, 2500));
    return String(await admin.client('LIST'))
      .trim()
      .split('\n').length;
  };

  it('waits for a Redis that comes later', async () => {
    await server.stop('SIGKILL');
    open();
    work();
    expect(await slowestOf(50)).toBeLessThan(500);
    expect(counter).toMatchObject({ queued: 0, dropped: 50 });
    expect(await queue.depth()).toBeUndefined();
    await server.start();
    await arrives('a');
  });

  it('closes without a Redis that never was there', async () => {
    await server.stop('SIGKILL');
    open();
    work();
    await queue.add(['a']);
    await queue.close();
    await server.start();
    expect(await connections()).toBe(1);
  });

  it('works again after Redis was killed and started, three times over, with no more handlers than before', async () => {
    open();
    work();
    await arrives('first');
    const handlers = () => client.eventNames().reduce((sum, event) => sum + client.listenerCount(event), 0);
    const before = handlers();
    for (const round of ['a', 'b', 'c']) {
      await server.stop('SIGKILL');
      await eventually(() => client.status !== 'ready');
      expect(await slowestOf(20)).toBeLessThan(500);
      await server.start();
      await arrives(round);
    }
    expect(handlers()).toBe(before);
  }, 60_000);

  it('closes while Redis is away, with work under way', async () => {
    open();
    let done = false;
    queue.process(1, async () => {
      worked.push('a');
      await server.stop('SIGKILL');
      await eventually(() => client.status !== 'ready');
      done = true;
    });
    await ready();
    await queue.add(['a']);
    await eventually(() => worked.length === 1);
    await queue.close();
    expect(done).toBe(true);
    await server.start();
    expect(await connections()).toBe(1);
  });

  it('works on after Redis was flushed, also in the middle of work', async () => {
    open();
    queue.process(2, async (id) => {
      worked.push(id);
      if (id === 'flush') await admin.flushall();
    });
    await ready();
    await queue.add(['before', 'flush', 'lost-1', 'lost-2', 'lost-3', 'lost-4']);
    await eventually(() => worked.includes('flush'));
    await arrives('after');
  });

  it('drops while Redis is read-only, without asking it all the time', async () => {
    open();
    await workThatLastsWith(100);
    await admin.replicaof('127.0.0.1', 1);
    await queue.add(['lost']);
    const before = await scriptsRun();
    expect(await slowestOf(5)).toBeLessThan(1500);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect((await scriptsRun()) - before).toBeLessThan(300);
    expect(counter.dropped).toBeGreaterThanOrEqual(5);
    await admin.replicaof('NO', 'ONE');
    await arrives('after');
  }, 60_000);

  it('drops while Redis is out of memory, without asking it all the time', async () => {
    open();
    await workThatLastsWith(100);
    await admin.config('SET', 'maxmemory', 1);
    const before = await scriptsRun();
    expect(await slowestOf(5)).toBeLessThan(1500);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect((await scriptsRun()) - before).toBeLessThan(300);
    expect(counter.dropped).toBeGreaterThanOrEqual(5);
    await admin.config('SET', 'maxmemory', 0);
    await arrives('after');
  }, 60_000);

  it('waits about a second for a Redis that is silent', async () => {
    open();
    work();
    await arrives('first');
    await admin.call('CLIENT', 'PAUSE', '4000', 'ALL');
    expect(await slowestOf(10)).toBeLessThan(1500);
    expect(counter.dropped).toBeGreaterThanOrEqual(10);
    await arrives('after');
  }, 60_000);

  it('shares work between two instances', async () => {
    open();
    work();
    await ready();
    const seen: string[] = [];
    const otherClient = new Redis(server.url, QUEUE_CONNECTION);
    const other = new BullMqQueue(bullmq, (queue as unknown as { name: string }).name, otherClient, counter);
    other.process(5, (id) => {
      seen.push(id);
      return Promise.resolve();
    });
    await queue.add(Array.from({ length: 2000 }, (_, i) => `id-${i}`));
    await eventually(() => worked.length + seen.length >= 2000);
    expect(new Set([...worked, ...seen]).size).toBe(2000);
    expect(worked.length).toBeGreaterThan(0);
    expect(seen.length).toBeGreaterThan(0);
    await Promise.all([queue.close(), other.close()]);
  });
});
