import { Injectable } from '@nestjs/common';
import type { JobQueue } from './job-queue';

@Injectable()
export class JobQueues {
  named(_name: string): JobQueue {
    const waiting: string[] = [];
    let work: ((id: string) => Promise<void>) | undefined;
    return {
      add: async (ids) => {
        for (const id of ids) void work?.(id).catch(() => undefined);
        await Promise.resolve();
      },
      process: (_concurrency, given) => {
        work = given;
      },
      depth: () => Promise.resolve(waiting.length),
      close: () => Promise.resolve(),
    };
  }
}
