import cluster, { type Worker } from 'node:cluster';
import { Logger } from '@nestjs/common';
import { HungWorkers } from './hung-workers';
import { type Handler, Ipc } from './ipc';
import { SharedState } from './shared-state';

/** Set for the first worker, which is the only one that logs where the service listens. */
const FIRST_PROCESS = 'WEB_FIRST_PROCESS';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** Exits longer ago than this no longer delay a restart. */
const REMEMBERED_MS = 60_000;
/** A start waits for up to two minutes for another instance that migrates. */
const LONGEST_START_MS = 300_000;

interface PrimaryOptions {
  /** The number of ports that each worker opens, 1 by default. */
  ports?: number;
  /** For tests. */
  lookForHungMs?: number;
  /** For tests. */
  longestStartMs?: number;
}

/** Whether this is a single process, or the first worker of a cluster. */
export const isFirstProcess = (): boolean => cluster.isPrimary || process.env[FIRST_PROCESS] !== undefined;

/**
 * Runs the service as several processes on one port. The first worker migrates and provisions the database before the
 * others start. A worker that exits is restarted, with a delay that grows with each exit; one that hangs, or does not
 * listen in time, is ended. Only the first one may take any time, because it migrates, and nothing listens meanwhile.
 */
export class Primary {
  private readonly logger = new Logger(Primary.name);
  private readonly shared: SharedState;
  private readonly hung: HungWorkers;
  private readonly longestStartMs: number;
  private readonly ports: number;
  private readonly restarts = new Set<NodeJS.Timeout>();
  private readonly openPorts = new WeakMap<Worker, number>();
  private readonly listening = new WeakSet<Worker>();
  private ends: number[] = [];
  private started = false;
  private stopping = false;
  private stopSignal: string | undefined;
  private exitCode = 0;

  constructor(
    private readonly processes: number,
    private readonly longestStopMs: number,
    services: Readonly<Record<string, Handler>>,
    { ports = 1, lookForHungMs, longestStartMs = LONGEST_START_MS }: PrimaryOptions = {},
  ) {
    this.ports = ports;
    this.shared = new SharedState(services);
    this.hung = new HungWorkers(this.shared, lookForHungMs);
    this.longestStartMs = longestStartMs;
  }

  /** @returns the exit code, once all workers have stopped or the first one could not start */
  run(signals: readonly NodeJS.Signals[]): Promise<number> {
    return new Promise((resolve) => {
      const end = (): void => {
        if (Object.keys(cluster.workers ?? {}).length > 0) return;
        this.hung.stop();
        resolve(this.exitCode);
      };
      for (const signal of signals)
        process.on(signal, () => {
          this.stop(signal);
          end();
        });
      cluster.on('listening', (worker) => this.onListening(worker));
      cluster.on('disconnect', (worker) => {
        this.shared.release(worker);
        // A worker is listed until both events have occurred, in either order.
        if (this.stopping) end();
      });
      cluster.on('exit', (worker, code, signal) => {
        this.onExit(worker, code, signal);
        if (this.stopping) end();
      });
      this.fork({ [FIRST_PROCESS]: '1' });
    });
  }

  /** Calls all workers. @returns the number of workers that did not respond in time */
  callAll(kind: string, request: unknown): Promise<number> {
    return this.shared.callAll(kind, request);
  }

  private fork(env?: Record<string, string>): void {
    const worker = cluster.fork(env);
    // Sending to a worker that is about to exit fails in this way; `exit` reports its end.
    worker.on('error', () => undefined);
    this.shared.connect(worker, new Ipc(worker));
    if (this.started) this.limitStart(worker);
  }

  private limitStart(worker: Worker): void {
    const limit = setTimeout(() => {
      if (this.listening.has(worker)) return;
      this.logger.error('A process does not start and is ended', { worker_pid: worker.process.pid });
      worker.process.kill('SIGKILL');
    }, this.longestStartMs).unref();
    worker.once('exit', () => clearTimeout(limit));
  }

  private onListening(worker: Worker): void {
    const open = (this.openPorts.get(worker) ?? 0) + 1;
    this.openPorts.set(worker, open);
    // Otherwise, a port that cannot be opened would end each worker after it has started, again and again.
    if (open !== this.ports) return;
    this.listening.add(worker);
    this.shared.admit(worker);
    this.logger.log('Process listening', { worker_pid: worker.process.pid });
    if (this.started) return;
    this.started = true;
    for (let others = this.processes - 1; others > 0 && !this.stopping; others -= 1) this.fork();
  }

  private onExit(worker: Worker, code: number | null, signal: string | null): void {
    this.shared.release(worker);
    if (!this.started) this.stopping = true;
    if (this.stopping) {
      // A worker that was still starting had no signal handler yet, and nothing to finish.
      const wasStarting = signal === this.stopSignal && !this.listening.has(worker);
      this.exitCode = Math.max(this.exitCode, code ?? (wasStarting ? 0 : 1));
      return;
    }
    const delay = this.nextDelay();
    this.logger.error('A process ended and is being restarted', {
      worker_pid: worker.process.pid,
      ...(signal === null ? { code } : { signal }),
      delay_ms: delay,
    });
    const restart = setTimeout(() => {
      this.restarts.delete(restart);
      this.fork();
    }, delay);
    this.restarts.add(restart);
  }

  private nextDelay(): number {
    const now = performance.now();
    this.ends = this.ends.filter((end) => now - end < REMEMBERED_MS);
    const delay = Math.min(FIRST_DELAY_MS * 2 ** this.ends.length, LONGEST_DELAY_MS);
    this.ends.push(now);
    return delay;
  }

  private stop(signal: NodeJS.Signals): void {
    if (this.stopping) return;
    this.stopping = true;
    this.stopSignal = signal;
    for (const restart of this.restarts) clearTimeout(restart);
    const workers = Object.values(cluster.workers ?? {});
    for (const worker of workers) worker?.process.kill(signal);
    setTimeout(() => {
      for (const worker of workers) worker?.process.kill('SIGKILL');
    }, this.longestStopMs + 1_000).unref();
  }
}
