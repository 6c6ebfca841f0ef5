import cluster, { type Worker } from 'node:cluster';
import { Logger } from '@nestjs/common';
import { causeOf } from '../common/errors/error-cause';
import { HandedConnections } from './handed-connections';
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
  private readonly handed = new HandedConnections();
  private readonly restarts = new Set<NodeJS.Timeout>();
  private readonly openPorts = new WeakMap<Worker, number>();
  private readonly listening = new WeakSet<Worker>();
  private ends: number[] = [];
  private started = false;
  private stopping = false;
  private stopSignal: string | undefined;
  private exitCode = 0;
  private resolve: (exitCode: number) => void = () => undefined;

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
    const ended = new Promise<number>((resolve) => {
      this.resolve = resolve;
    });
    for (const signal of signals)
      process.on(signal, () => {
        this.stop(signal);
        this.endIfStopped();
      });
    cluster.on('listening', (worker) => this.onListening(worker));
    cluster.on('disconnect', (worker) => {
      this.release(worker);
      // A worker is listed until both events have occurred, in either order.
      this.endIfStopped();
    });
    cluster.on('exit', (worker, code, signal) => {
      if (worker.isConnected()) disconnect(worker);
      else this.release(worker);
      this.onExit(worker, code, signal);
      this.endIfStopped();
    });
    this.fork({ [FIRST_PROCESS]: '1' });
    return ended;
  }

  /** Calls all workers. @returns the number of workers that did not respond in time */
  callAll(kind: string, request: unknown): Promise<number> {
    return this.shared.callAll(kind, request);
  }

  private fork(env?: Record<string, string>): void {
    try {
      const worker = cluster.fork(env);
      // Other errors come from sending to a worker that is about to exit; `exit` reports its end.
      if (!wasSpawned(worker)) worker.once('error', (error) => this.onNotSpawned(error));
      worker.on('error', () => undefined);
      if (!wasSpawned(worker)) return;
      this.handed.watch(worker);
      this.shared.connect(worker, new Ipc(worker));
      if (this.started) this.limitStart(worker);
    } catch (error) {
      this.onNotSpawned(error);
    }
  }

  /** For example because of a limit on processes, or for want of memory. */
  private onNotSpawned(error: unknown): void {
    if (!this.started) {
      this.stopping = true;
      this.exitCode = 1;
    }
    const fields = { cause: causeOf(error) };
    if (this.stopping) this.logger.error('A process could not be started', fields);
    else this.restart('A process could not be started and is retried', fields);
    this.endIfStopped();
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

  private release(worker: Worker): void {
    this.shared.release(worker);
    this.handed.release(worker, this.areOthersListening(worker));
  }

  private onExit(worker: Worker, code: number | null, signal: string | null): void {
    if (!this.started) this.stopping = true;
    if (this.stopping) {
      // A worker that was still starting had no signal handler yet, and nothing to finish.
      const wasStarting = signal === this.stopSignal && !this.listening.has(worker);
      this.exitCode = Math.max(this.exitCode, code ?? (wasStarting ? 0 : 1));
      return;
    }
    this.restart('A process ended and is being restarted', {
      worker_pid: worker.process.pid,
      ...(signal === null ? { code } : { signal }),
    });
  }

  private restart(message: string, fields: object): void {
    const delay = this.nextDelay();
    this.logger.error(message, { ...fields, delay_ms: delay });
    const restart = setTimeout(() => {
      this.restarts.delete(restart);
      this.fork();
    }, delay);
    this.restarts.add(restart);
  }

  private areOthersListening(worker: Worker): boolean {
    return listed().some((other) => other !== worker && this.listening.has(other) && other.isConnected());
  }

  private endIfStopped(): void {
    if (!this.stopping || listed().some(wasSpawned)) return;
    this.hung.stop();
    this.resolve(this.exitCode);
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
    const workers = listed();
    for (const worker of workers) worker.process.kill(signal);
    setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL');
    }, this.longestStopMs + 1_000).unref();
  }
}

/** The workers that Node knows. */
const listed = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

/** Node also lists a worker whose process could not be started; no event removes it. */
const wasSpawned = (worker: Worker): boolean => worker.process.pid !== undefined;

/** Ends the channel to a worker that has exited. */
function disconnect(worker: Worker): void {
  worker.process.disconnect();
  // Node emits no event if the worker had yet to receive a connection, and would send it further ones.
  setImmediate(() => {
    if (listed().includes(worker)) worker.process.emit('disconnect');
  });
}
