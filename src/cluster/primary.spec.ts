import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../test/support/private-servers';
import { WITH_TYPESCRIPT } from '../../test/support/run-typescript';
import { Primary } from './primary';

const PROCESSES = 2;

/** Uses real processes, which run `test/support/cluster-process.ts`. */
describe('Primary', () => {
  let folder: string;
  let ended: Promise<number>;
  let listening: Worker[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-primary-'));
    listening = [];
    cluster.setupPrimary({
      exec: join(__dirname, '../../test/support/cluster-process.ts'),
      execArgv: WITH_TYPESCRIPT,
    });
    cluster.on('listening', (worker) => listening.push(worker));
  });

  const start = async (times: ConstructorParameters<typeof Primary>[3] = {}): Promise<void> => {
    ended = new Primary(PROCESSES, 1000, {}, times).run(['SIGTERM']);
    await until('the processes', () => listening.length === PROCESSES);
  };

  afterEach(async () => {
    process.emit('SIGTERM');
    for (const worker of listening) worker.process.kill('SIGKILL');
    await ended;
    cluster.removeAllListeners();
    process.removeAllListeners('SIGTERM');
    rmSync(folder, { recursive: true });
  });

  it('survives a response to a worker that has exited', async () => {
    await start();
    const [worker] = listening as [Worker];
    const errors: (string | undefined)[] = [];
    worker.process.on('error', ({ code }: NodeJS.ErrnoException) => errors.push(code));
    const closed = join(folder, 'closed');
    worker.send({ order: 'askAndLeave', closed });
    // Its call is read only after its end of the channel has been closed.
    waitWithoutTurns(() => existsSync(closed));
    await until('a process in its place', () => listening.length === PROCESSES + 1);
    expect(errors).toEqual(['EPIPE']);
  });

  it('ends even if the channel of a worker is closed after its exit', async () => {
    await start();
    const lent = join(folder, 'lent');
    listening[0]!.send({ order: 'lendChannel', seconds: 1, lent });
    await until('the holder of the channel', () => existsSync(lent));
    process.emit('SIGTERM');
    // The processes do not handle the signal.
    expect(await ended).toBe(1);
  });

  it('ends if the first worker cannot open all of its ports', async () => {
    ended = new Primary(PROCESSES, 1000, {}, { ports: 2 }).run(['SIGTERM']);
    await until('the first port', () => listening.length === 1);
    listening[0]!.process.kill('SIGKILL');
    expect(await ended).toBe(1);
    expect(listening).toHaveLength(1);
  });

  it('exits with 0 when a signal arrives before the first worker can handle it', async () => {
    ended = new Primary(PROCESSES, 1000, {}).run(['SIGTERM']);
    process.emit('SIGTERM');
    expect(await ended).toBe(0);
  });

  const scrape = async (worker: Worker): Promise<string> => {
    worker.send({ order: 'scrape' });
    for (;;) {
      const [message] = (await once(worker, 'message')) as [{ scraped?: string }];
      if (message.scraped !== undefined) return message.scraped;
    }
  };

  it('exposes the metrics of the workers that it has a channel to', async () => {
    await start();
    const [first, second] = listening as [Worker, Worker];
    expect(await scrape(first)).toContain('\nanswers 2\n');
    second.send({ order: 'disconnect' });
    await once(cluster, 'disconnect');
    const text = await scrape(first);
    expect(text).toContain('\nanswers 1\n');
    expect(text).toContain('\ncluster_silent_processes 0\n');
  });

  it('exposes the metrics of the other workers while one is stopped', async () => {
    await start();
    const [first, second] = listening as [Worker, Worker];
    second.process.kill('SIGSTOP');
    const text = await scrape(first);
    expect(text).toContain('\nanswers 1\n');
    expect(text).toContain('\ncluster_silent_processes 1\n');
    second.process.kill('SIGCONT');
    await until('both', async () => (await scrape(first)).includes('\nanswers 2\n'));
    expect(await scrape(first)).toContain('\ncluster_silent_processes 0\n');
  });

  it('uses the last metrics of a stopped worker, since a drop would look like a restart', async () => {
    await start();
    const [first, second] = listening as [Worker, Worker];
    expect(await scrape(first)).toContain('\nanswers 2\n');
    second.process.kill('SIGSTOP');
    const text = await scrape(first);
    expect(text).toContain('\nanswers 2\n');
    expect(text).toContain('\ncluster_silent_processes 1\n');
  });

  it('kills a worker that hangs, and starts another', async () => {
    await start({ lookForHungMs: 100 });
    const [first, second] = listening as [Worker, Worker];
    second.process.kill('SIGSTOP');
    const [worker, , signal] = (await once(cluster, 'exit')) as [Worker, number | null, string];
    expect([worker.process.pid, signal]).toEqual([second.process.pid, 'SIGKILL']);
    await until('a process in its place', () => listening.length === PROCESSES + 1);
    expect(first.isDead()).toBe(false);
  });

  it('kills a restarted worker that does not listen in time, and starts another', async () => {
    await start({ longestStartMs: 5000 });
    cluster.setupPrimary({ args: ['never-listens'] });
    const [, second] = listening as [Worker, Worker];
    second.process.kill('SIGKILL');
    await once(cluster, 'exit');
    await once(cluster, 'fork');
    cluster.setupPrimary({ args: [] });
    const [worker, , signal] = (await once(cluster, 'exit')) as [Worker, number | null, string];
    expect([listening.includes(worker), signal]).toEqual([false, 'SIGKILL']);
    await until('a process in its place', () => listening.length === PROCESSES + 1);
  });
});

function waitWithoutTurns(done: () => boolean): void {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; !done(); tries += 1) {
    if (tries === 1000) throw new Error('It took too long');
    Atomics.wait(clock, 0, 0, 10);
  }
}
