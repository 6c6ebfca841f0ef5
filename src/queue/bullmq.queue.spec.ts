import { randomUUID } from 'node:crypto';
import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { BullMqQueue, QUEUE_CONNECTION } from './bullmq.queue';
import { describeJobQueue, eventually } from './job-queue.contract';

const URL = process.env.TEST_REDIS_URL;

(URL ? describe : describe.skip)('BullMqQueue', () => {
  describeJobQueue('BullMqQueue', {
    open: async (counter) => {
      const client = new Redis(URL ?? '', QUEUE_CONNECTION);
      await eventually(() => client.status === 'ready');
      return new BullMqQueue(bullmq, `test-${randomUUID()}`, client, counter);
    },
  });
});
