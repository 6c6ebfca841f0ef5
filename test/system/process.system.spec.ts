import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { recoverAddress } from 'ethers';
import { type HttpResponse, send } from '../support/http';
import { apiKey, storageKey } from '../support/keys';
import { freePort, until } from '../support/private-servers';

const MAIN = join(__dirname, '../../dist/main.js');
const EXAMPLE = join(__dirname, '../../examples/verify-typed-data.cjs');
const DIGEST = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const itWithCurl = hasCurl || process.env.TEST_REQUIRE_SERVERS ? it : it.skip;

const itOnLinux = process.platform === 'linux' ? it : it.skip;

/** The built service as a separate process, in an empty folder. */
describe('The process', () => {
  let folder: string;
  let child: ChildProcess;
  let output: string;
  let url: string;
  let ended: Promise<number | null>;

  beforeEach(() => {
    expect(existsSync(MAIN)).toBe(true);
    folder = mkdtempSync(join(tmpdir(), 'relayer-process-'));
    output = '';
  });

  afterEach(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (env: Record<string, string>): Promise<number | null> => {
    child = spawn(process.execPath, [MAIN], { cwd: folder, env: { PATH: process.env.PATH, ...env } });
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    // `close` is emitted after the last output.
    ended = new Promise((resolve) => child.once('close', resolve));
    return ended;
  };

  const start = async (env: Record<string, string> = {}): Promise<void> => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    void run({ PORT: String(port), HOST: '127.0.0.1', ...env });
    await until('the service', () => output.includes('"message":"Listening"'));
  };

  /** Sends requests that are logged, until this many lines count as failed writes. */
  const untilLinesAreLost = async (lines: number): Promise<void> => {
    let status: number | undefined;
    await until('the service', async () => {
      status = (await send(url, { path: '/v1/health' }).catch(() => undefined))?.status;
      return status !== undefined || child.exitCode !== null;
    });
    for (let requests = 1; requests <= 5; requests += 1)
      expect((await send(url, { path: '/api/v1/relayers' })).status).toBe(401);
    await until('the failed writes', async () => {
      const { text } = await send(url, { path: '/debug/metrics/scrape' });
      return Number(/^log_writes_failed_total (\d+)$/m.exec(text)?.[1]) >= lines;
    });
  };

  itOnLinux('goes on if its log cannot be written because the disk is full', async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const full = openSync('/dev/full', 'w');
    child = spawn(process.execPath, [MAIN], {
      cwd: folder,
      stdio: ['ignore', full, full],
      env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port) },
    });
    closeSync(full);
    ended = new Promise((resolve) => child.once('close', resolve));
    await untilLinesAreLost(5);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('goes on if nothing reads its log any more', async () => {
    await start();
    child.stdout?.destroy();
    child.stderr?.destroy();
    await untilLinesAreLost(1);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  const curlLine = (): string => /^curl .*$/m.exec(output)?.[0] ?? '';

  itWithCurl('creates its keys at the first start, and prints a command that signs', async () => {
    await start();
    await until('the command', () => curlLine() !== '');
    const { stdout } = await promisify(execFile)('sh', ['-c', curlLine()]);
    const verified = await promisify(execFile)('sh', ['-c', `${curlLine()} | node ${EXAMPLE}`]);
    const apiKey = readFileSync(join(folder, 'data/api-key'), 'utf8').trim();
    const list = await send(url, {
      path: '/api/v1/relayers',
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const { data } = JSON.parse(stdout) as { data: { sig: string } };
    expect(recoverAddress(DIGEST, `0x${data.sig}`)).toBe(list.body.data[0].address);
    expect(verified.stdout).toBe(`signed by ${String(list.body.data[0].address)}\n`);
    for (const name of ['api-key', 'storage-encryption-key']) {
      expect(statSync(join(folder, 'data', name)).mode & 0o777).toBe(0o600);
    }
    const storageKey = readFileSync(join(folder, 'data/storage-encryption-key'), 'utf8').trim();
    expect(output).not.toContain(storageKey);
    expect(output).not.toContain(apiKey);
    expect(output).toContain(`${url}/api-docs`);
    const lines = output.split('\n').filter((line) => line.includes('data/relayer.sqlite'));
    const file = join(folder, 'data/relayer.sqlite');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'info', message: 'Using database', type: 'sqlite', database: file }),
      expect.objectContaining({ level: 'warn', message: 'New database created', file }),
    ]);
  });

  // On other systems, the loopback interface has only one IPv4 address.
  itOnLinux('prints its address if it listens on only one', async () => {
    await start({ HOST: '127.0.0.2' });
    await until('the command', () => curlLine() !== '');
    const origin = url.replace('127.0.0.1', '127.0.0.2');
    expect(curlLine()).toContain(` ${origin}/api/v1/relayers/demo/sign-typed-data `);
    expect(output).toContain(`"api_page":"${origin}/api-docs"`);
    expect((await send(origin, { path: '/v1/health' })).text).toBe('OK');
  });

  /** Uses a separate debugger port, since the default port may be taken. */
  const signalled = async (env: Record<string, string>): Promise<number> => {
    const inspectPort = await freePort();
    await start({ NODE_OPTIONS: `--inspect-port=127.0.0.1:${inspectPort}`, ...env });
    child.kill('SIGUSR1');
    return inspectPort;
  };

  itOnLinux('does not open the inspector on SIGUSR1 in production, and continues', async () => {
    const port = await signalled({
      NODE_ENV: 'production',
      API_KEY: apiKey('inspector'),
      STORAGE_ENCRYPTION_KEY: storageKey(1),
      DATABASE_URL: 'sqlite:relayer.sqlite',
    });
    await until('the log', () => output.includes('SIGUSR1 was ignored'));
    // The inspector opens in a separate thread, some milliseconds after the signal.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(output).not.toContain('Debugger listening');
    await expect(
      new Promise((resolve, reject) =>
        connect(port, '127.0.0.1', () => {
          resolve('open');
        }).on('error', reject),
      ),
    ).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect((await send(url, { path: '/v1/ready' })).status).toBe(200);
  });

  itOnLinux('opens the inspector on SIGUSR1 in development', async () => {
    const port = await signalled({});
    await until('the inspector', () => output.includes(`Debugger listening on ws://127.0.0.1:${port}`));
  });

  it('ignores proxy settings of the environment, and logs that it does', async () => {
    await start({ HTTPS_PROXY: 'http://user:pr0xy-s3cret@127.0.0.1:1', no_proxy: 'x' });
    expect(output).toContain('"message":"Proxies of the environment are not used"');
    expect(output).toContain('"variables":["HTTPS_PROXY"]');
    expect(output).not.toContain('pr0xy-s3cret');
  });

  it('verifies certificates whatever the environment says, and logs that it does', async () => {
    await start({ NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect(output).toContain(
      '"message":"NODE_TLS_REJECT_UNAUTHORIZED is not used: certificates are verified"',
    );
  });

  it('keeps secrets out of its environment, which a diagnostic report contains', async () => {
    const secrets = {
      API_KEY: apiKey('report'),
      STORAGE_ENCRYPTION_KEY: storageKey(2),
      DATABASE_URL: 'sqlite:r.sqlite',
    };
    await start({
      ...secrets,
      NODE_OPTIONS: '--report-on-signal --report-signal=SIGUSR2 --report-filename=report.json',
    });
    child.kill('SIGUSR2');
    const file = join(folder, 'report.json');
    await until('the report', () => existsSync(file) && readFileSync(file, 'utf8').trim().endsWith('}'));
    const report = readFileSync(file, 'utf8');
    expect(report).toContain('"environmentVariables"');
    for (const [name, value] of Object.entries(secrets)) {
      expect(report).not.toContain(`"${name}"`);
      if (name !== 'DATABASE_URL') expect(report).not.toContain(value);
    }
  });

  itWithCurl(
    'keeps its keys and its relayer after a restart, and never prints an API key that is set',
    async () => {
      await start();
      await until('the command', () => curlLine() !== '');
      const first = (await promisify(execFile)('sh', ['-c', curlLine()])).stdout;
      await stop();
      output = '';
      const chosen = 'chosen-0123456789-0123456789-0123456789';
      await start({ API_KEY: chosen });
      await until('the command', () => curlLine() !== '');
      expect(output).not.toContain(chosen);
      const { stdout } = await promisify(execFile)('sh', ['-c', curlLine()], {
        env: { ...process.env, API_KEY: chosen },
      });
      expect(stdout).toBe(first);
    },
  );

  it('reports each configuration error on a separate line, without values, and exits with 1', async () => {
    const code = await run({
      NODE_ENV: 'production',
      API_KEY: 'too-short-a-secret',
      PORT: 'eighty',
      RATE_LIMIT_BURST_SIZE: '-5',
      LOG_LEVEL: 'loud',
    });
    expect(code).toBe(1);
    expect(output.trim().split('\n').sort()).toEqual([
      'API_KEY must be at least 32 characters long',
      'DATABASE_URL is required in production',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, verbose',
      'PORT must be an integer from 0 to 65535',
      'RATE_LIMIT_BURST_SIZE must be an integer from 1 to 1000000',
      'STORAGE_ENCRYPTION_KEY is required in production',
    ]);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  itOnLinux(
    'has 32 threads for blocking work such as name lookups, or more if UV_THREADPOOL_SIZE says so',
    async () => {
      const threads = async (env: Record<string, string>): Promise<number> => {
        output = '';
        await start(env);
        const { length } = readdirSync(`/proc/${child.pid}/task`);
        child.kill('SIGKILL');
        await ended;
        return length;
      };
      const usual = await threads({});
      expect(await threads({ UV_THREADPOOL_SIZE: '4' })).toBe(usual);
      expect(await threads({ UV_THREADPOOL_SIZE: '40' })).toBe(usual + 8);
    },
  );

  it('flushes pending log lines on exit', async () => {
    const program = `
      const { ServiceLogger } = require(${JSON.stringify(join(MAIN, '../common/logging/service-logger.js'))});
      const { runWithRequest } = require(${JSON.stringify(join(MAIN, '../common/http/request-context.js'))});
      const logger = new ServiceLogger({ format: 'json', level: 'log' }, []);
      runWithRequest('abc-1', () => logger.log('one'));
      process.exit(0);
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', program]);
    expect(JSON.parse(stdout)).toMatchObject({ message: 'one', request_id: 'abc-1' });
  });

  it('on SIGTERM becomes not ready, finishes requests in flight, and exits with 0', async () => {
    await start();
    const apiKey = readFileSync(join(folder, 'data/api-key'), 'utf8').trim();
    const slow = slowPatch(apiKey);
    await slow.begun;
    child.kill('SIGHUP');
    await until('the log', () => output.includes('Settings reloaded'));
    child.kill('SIGTERM');
    let ready: HttpResponse | undefined;
    await until('readiness 503', async () => {
      ready = await send(url, { path: '/v1/ready', headers: { connection: 'close' } });
      return ready.status === 503;
    });
    expect(ready?.body).toMatchObject({ status: 'shutting_down' });
    expect((await send(url, { path: '/api/v1/ready', headers: { connection: 'close' } })).body).toMatchObject(
      {
        error: expect.stringMatching(/^not ready, the service is shutting down/),
      },
    );
    await new Promise((resolve) => setTimeout(resolve, 1500));
    slow.finish();
    expect(await slow.response).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(await ended).toBe(0);
    expect(output).toMatch(
      /"message":"Stopping".*"signal":"SIGTERM"|"signal":"SIGTERM".*"message":"Stopping"/,
    );
    // The WAL is empty, and a copy of the database file alone is complete.
    expect(statSync(join(folder, 'data/relayer.sqlite-wal')).size).toBe(0);
  });

  it('cuts off requests that do not finish within 10 s of SIGTERM', async () => {
    await start();
    const slow = slowPatch(readFileSync(join(folder, 'data/api-key'), 'utf8').trim());
    await slow.begun;
    const before = Date.now();
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(Date.now() - before).toBeLessThan(15_000);
    expect(await slow.response).toBe('');
  });

  it('exits with 1 at once when the database file is not a database', async () => {
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'no database '.repeat(1000));
    expect(await run({ DATABASE_URL: `sqlite:${file}` })).toBe(1);
    expect(output).toContain(`DATABASE_URL: ${file} cannot be opened: file is not a database`);
    expect(output).not.toContain('Retrying');
  });

  it('exits with 1 when a port is taken, and reports which one', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    try {
      expect(await run({ HOST: '127.0.0.1', PORT: String(port) })).toBe(1);
      expect(output).toMatch(
        new RegExp(
          `^PORT ${port} of HOST 127\\.0\\.0\\.1 cannot be opened: another process has it \\(EADDRINUSE\\)$`,
          'm',
        ),
      );
      expect(output).not.toContain('could not start');

      output = '';
      expect(
        await run({ HOST: '127.0.0.1', PORT: String(await freePort()), METRICS_PORT: String(port) }),
      ).toBe(1);
      expect(output).toMatch(
        new RegExp(`^METRICS_PORT ${port} of HOST 127\\.0\\.0\\.1 cannot be opened`, 'm'),
      );
    } finally {
      taken.close();
    }
  });

  async function stop(): Promise<void> {
    child.kill('SIGTERM');
    await ended;
  }

  /** A request whose body stays incomplete until `finish` is called. */
  function slowPatch(apiKey: string): {
    begun: Promise<void>;
    finish: () => void;
    response: Promise<string>;
  } {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    const head = [
      'PATCH /api/v1/relayers/demo HTTP/1.1',
      'Host: 127.0.0.1',
      `Authorization: Bearer ${apiKey}`,
      'Content-Type: application/json',
      'Content-Length: 2',
      '',
      '{',
    ].join('\r\n');
    return {
      begun: new Promise((resolve) => {
        socket.write(head, () => setTimeout(resolve, 200));
      }),
      finish: () => socket.write('}'),
      response: new Promise((resolve) =>
        socket.once('close', () => {
          resolve(text);
        }),
      ),
    };
  }
});
