import { Registry } from 'prom-client';
import type { RedisService } from '../redis/redis.service';
import { InProcessQueue } from './in-process.queue';
import { JobQueues } from './job-queues';
import { QueueMetrics } from './queue.metrics';

const withoutRedis = { configured: false } as RedisService;

describe('JobQueues', () => {
  it('gives each name one queue, shows what goes in and waits, and closes them', async () => {
    const registry = new Registry();
    const queues = new JobQueues(
      (name, counter) => new InProcessQueue(name, counter),
      new QueueMetrics(registry, withoutRedis),
    );
    const queue = queues.named('deliveries');
    expect(queues.named('deliveries')).toBe(queue);
    expect(queues.named('other')).not.toBe(queue);
    await queue.add(['a', 'b', 'a']);
    const text = await registry.metrics();
    expect(text).toContain('jobs_queued_total{queue="deliveries",outcome="queued"} 3');
    expect(text).toContain('jobs_waiting{queue="deliveries"} 2');
    expect(text).toContain('jobs_waiting{queue="other"} 0');

    await queues.beforeApplicationShutdown();
    await queue.add(['c']);
    expect(await registry.metrics()).toContain('jobs_queued_total{queue="deliveries",outcome="dropped"} 1');
  });
});
