import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import type { JobQueue } from './job-queue';

/** The metrics are public and never limited: however often they are asked for, queues are asked this often. */
const SHARED_FOR_MS = 1000;

/** Counts what happened to ids that were to be queued. */
export interface QueueCounter {
  count(queued: number, dropped: number): void;
}

/** What goes into the queues, and what waits there. Names of queues are written in the code: a closed set. */
@Injectable()
export class QueueMetrics {
  private readonly added: Counter<'queue' | 'outcome'>;
  private readonly waiting: Gauge<'queue'>;
  private readonly shown = new Map<string, JobQueue>();
  private asking: Promise<unknown> = Promise.resolve();
  private askedAt = -Infinity;

  constructor(registry: Registry) {
    const registers = [registry];
    this.added = new Counter({
      name: 'jobs_queued_total',
      help: 'Ids of jobs that were queued, or dropped because the queue was full, closed or out of reach',
      labelNames: ['queue', 'outcome'],
      registers,
    });
    this.waiting = new Gauge({
      name: 'jobs_waiting',
      help: 'Ids that wait in a queue; no value where it cannot be asked',
      labelNames: ['queue'],
      registers,
      collect: () => this.askOnce(),
    });
  }

  counterOf(queue: string): QueueCounter {
    return {
      count: (queued, dropped) => {
        this.added.inc({ queue, outcome: 'queued' }, queued);
        this.added.inc({ queue, outcome: 'dropped' }, dropped);
      },
    };
  }

  /** Shows from now on what waits in a queue. */
  show(name: string, queue: JobQueue): void {
    this.shown.set(name, queue);
  }

  private async askOnce(): Promise<void> {
    if (performance.now() - this.askedAt > SHARED_FOR_MS) {
      this.askedAt = performance.now();
      this.asking = Promise.all([...this.shown].map(([name, queue]) => this.ask(name, queue)));
    }
    await this.asking;
  }

  private async ask(name: string, queue: JobQueue): Promise<void> {
    const depth = await queue.depth();
    if (depth === undefined) this.waiting.remove({ queue: name });
    else this.waiting.set({ queue: name }, depth);
  }
}
