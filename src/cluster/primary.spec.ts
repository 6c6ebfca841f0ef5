import { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { until } from '../../test/support/private-servers';
import { WITH_TYPESCRIPT } from '../../test/support/run-typescript';
import { Primary } from './primary';
import { EXPOSITION_SHARED_FOR_MS } from './shared-state';

const PROCESSES = 2;

/** The part of a child process with which Node starts it. */
interface WithHandle {
  _handle: { spawn: () => number };
}

/** Uses real processes, which run `test/support/cluster-process.ts`. */
describe('Primary', () => {
  let folder: string;
  let ended: Promise<number>;
  let listening: Worker[];
  let port: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-primary-'));
    listening = [];
    cluster.setupPrimary({
      exec: join(__dirname, '../../test/support/cluster-process.ts'),
      execArgv: WITH_TYPESCRIPT,
    });
    cluster.on('listening', (worker, address) => {
      listening.push(worker);
      port = address.port;
    });
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

  /** @returns the text that the server sent before it closed the connection */
  const read = (): Promise<string> =>
    new Promise((resolve, reject) => {
      let text = '';
      connect(port, '127.0.0.1', function (this: Socket) {
        this.on('data', (data) => (text += data.toString())).on('close', () => resolve(text));
      }).on('error', reject);
    });

  /** Connections of which at least one was handed to each of these stopped processes. */
  const readFromStopped = async (...stopped: Worker[]): Promise<Promise<string>[]> => {
    for (const { process } of stopped) process.kill('SIGSTOP');
    const texts = Array.from({ length: 6 }, read);
    await sleep(500);
    return texts;
  };

  it('hands the connections that a dead worker has not accepted to the others', async () => {
    await start();
    const [first, second] = listening as [Worker, Worker];
    const texts = await readFromStopped(second);
    second.process.kill('SIGKILL');
    expect(await Promise.all(texts)).toEqual(texts.map(() => String(first.process.pid)));
  });

  it('closes the connections that dead workers have not accepted if there are no others', async () => {
    await start();
    const [first, second] = listening as [Worker, Worker];
    const texts = await readFromStopped(first, second);
    for (const { process } of [first, second]) process.kill('SIGKILL');
    expect(await Promise.all(texts)).toEqual(texts.map(() => ''));
  });

  describe('if processes cannot be started', () => {
    const { prototype } = ChildProcess as unknown as {
      prototype: { spawn: (...options: unknown[]) => number };
    };
    const { spawn } = prototype;

    afterEach(() => {
      prototype.spawn = spawn;
    });

    /** As the kernel does beyond a limit on processes, or for want of memory. @param errno as libuv returns it */
    const failWith = (errno: number): void => {
      prototype.spawn = function (this: WithHandle, ...options) {
        this._handle.spawn = () => errno;
        return spawn.apply(this, options);
      };
    };

    it.each([
      ['EAGAIN', constants.errno.EAGAIN],
      ['ENOMEM', constants.errno.ENOMEM],
    ])('tries again after %s', async (_code, errno) => {
      await start();
      failWith(-errno);
      const errors = jest.spyOn(Logger.prototype, 'error');
      listening[1]!.process.kill('SIGKILL');
      const messages = (): unknown[] => errors.mock.calls.map(([message]: unknown[]) => message);
      await until('a failure', () => messages().includes('A process could not be started and is retried'));
      prototype.spawn = spawn;
      await until('a process in its place', () => listening.length === PROCESSES + 1);
      errors.mockRestore();
    });

    it.each([constants.errno.EAGAIN, constants.errno.ENOMEM])(
      'ends if the first one cannot',
      async (errno) => {
        failWith(-errno);
        ended = new Primary(PROCESSES, 1000, {}).run(['SIGTERM']);
        expect(await ended).toBe(1);
      },
    );

    it('ends when it is stopped meanwhile', async () => {
      await start();
      failWith(-constants.errno.EAGAIN);
      const forked = once(cluster, 'fork');
      listening[1]!.process.kill('SIGKILL');
      await forked;
      process.emit('SIGTERM');
      expect(await ended).toBe(1);
    });
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

  it('asks the workers once for all who scrape at the same time', async () => {
    await start();
    const [first, second] = listening as [Worker, Worker];
    let calls = 0;
    const send = second.process.send.bind(second.process) as (...sent: unknown[]) => boolean;
    second.process.send = (...sent: unknown[]) => {
      if ((sent[0] as { call?: string }).call === 'metrics') calls += 1;
      return send(...sent);
    };
    await Promise.all([scrape(first), scrape(first), scrape(second), scrape(first)]);
    expect(calls).toBe(1);
  });

  it('uses the last metrics of a stopped worker, since a drop would look like a restart', async () => {
    await start();
    const [first, second] = listening as [Worker, Worker];
    expect(await scrape(first)).toContain('\nanswers 2\n');
    second.process.kill('SIGSTOP');
    await sleep(EXPOSITION_SHARED_FOR_MS);
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
