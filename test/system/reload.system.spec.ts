import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../support/databases';
import { type HttpResponse, send } from '../support/http';
import { apiKey } from '../support/keys';
import { freePort, until } from '../support/private-servers';

const MAIN = join(__dirname, '../../dist/main.js');
const API_KEY = apiKey('reload');

/** The built service as a separate process, in a folder with a `.env` file. */
class ReloadedProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'relayer-reload-'));
  output = '';
  private child!: ChildProcess;
  private ended!: Promise<number | null>;
  private url = '';

  async start(env: Record<string, string>, file: string): Promise<void> {
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    this.configure(file);
    this.child = spawn(process.execPath, [MAIN], {
      cwd: this.folder,
      env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), ...env },
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
    const processes = Number(env.WEB_CONCURRENCY ?? 1);
    await until('the service', () =>
      processes > 1 ? this.lines('Process listening').length === processes : this.isReady(),
    );
  }

  private async isReady(): Promise<boolean> {
    const response = await send(this.url, { path: '/v1/ready' }).catch(() => undefined);
    return response?.status === 200;
  }

  configure(file: string): void {
    writeFileSync(join(this.folder, '.env'), file);
  }

  /** Sends SIGHUP and waits for a new log line with that message. */
  async reload(message: string): Promise<Record<string, unknown>> {
    const before = this.lines(message).length;
    this.child.kill('SIGHUP');
    await until(message, () => this.lines(message).length > before);
    return this.lines(message).at(-1) ?? {};
  }

  list(connection?: string): Promise<HttpResponse> {
    const headers = { authorization: `Bearer ${API_KEY}`, ...(connection && { connection }) };
    return send(this.url, { path: '/api/v1/relayers', headers });
  }

  /** Waits for the lines about settings of the next start, which may arrive after the line of the reload. */
  async settingsForNextStart(): Promise<Record<string, unknown>[]> {
    const message = 'Settings that changed apply at the next start';
    await until(message, () => this.lines(message).length > 0);
    return this.lines(message);
  }

  async limits(): Promise<unknown> {
    return (await this.list('close')).headers['x-ratelimit-limit'];
  }

  /** The complete log lines with that message. */
  lines(message: string): Record<string, unknown>[] {
    return this.output
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.includes(`"message":"${message}"`))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    const code = await this.ended;
    rmSync(this.folder, { recursive: true, force: true });
    return code;
  }
}

describe('SIGHUP', () => {
  let service: ReloadedProcess;

  beforeEach(() => {
    service = new ReloadedProcess();
  });

  afterEach(() => service.stop());

  const start = (file: string, env: Record<string, string> = {}): Promise<void> =>
    service.start({ API_KEY, ...env }, file);

  it('applies the log level and the rate limits of .env, and logs what else has changed', async () => {
    await start('RATE_LIMIT_BURST_SIZE=40\nLOG_LEVEL=warn\nWEBHOOK_RETRY_HOURS=1\n', { LOG_LEVEL: '' });
    expect(await service.limits()).toBe('40');
    service.configure('RATE_LIMIT_BURST_SIZE=2\nRATE_LIMIT_REQUESTS_PER_SECOND=1\nWEBHOOK_RETRY_HOURS=2\n');
    expect(await service.reload('Settings reloaded')).toMatchObject({
      level: 'info',
      changed: ['RATE_LIMIT_REQUESTS_PER_SECOND', 'RATE_LIMIT_BURST_SIZE', 'LOG_LEVEL'],
      log_level: 'info',
      requests_per_second: 1,
      burst_size: 2,
    });
    expect(await service.settingsForNextStart()).toEqual([
      expect.objectContaining({ level: 'warn', settings: ['WEBHOOK_RETRY_HOURS'] }),
    ]);
    expect(service.lines('Request completed')).toEqual([]);
    expect(await service.limits()).toBe('2');
    await until('the line of the request', () => service.lines('Request completed').length > 0);
    const statuses = [await service.list(), await service.list()].map(({ status }) => status);
    expect(statuses).toContain(429);
  });

  it('changes nothing if a value is invalid, and can be sent again', async () => {
    await start('RATE_LIMIT_BURST_SIZE=40\n');
    service.configure('RATE_LIMIT_BURST_SIZE=50\nLOG_LEVEL=loud\nWEBHOOK_RETRY_HOURS=never\n');
    const line = await service.reload('Settings were not reloaded: the previous ones stay');
    expect(line).toMatchObject({
      level: 'error',
      faults: [
        'WEBHOOK_RETRY_HOURS must be an integer from 1 to 720',
        'LOG_LEVEL must be one of fatal, error, warn, info, debug, verbose',
      ],
    });
    expect(await service.limits()).toBe('40');
    service.configure('RATE_LIMIT_BURST_SIZE=50\n');
    expect(await service.reload('Settings reloaded')).toMatchObject({ changed: ['RATE_LIMIT_BURST_SIZE'] });
    expect(await service.limits()).toBe('50');
    expect(await service.reload('Settings reloaded')).toMatchObject({ changed: [] });
  });

  it('does not override variables of the environment', async () => {
    await start('', { RATE_LIMIT_BURST_SIZE: '40' });
    service.configure(`RATE_LIMIT_BURST_SIZE=50\nAPI_KEY=${apiKey('other')}\n`);
    expect(await service.reload('Settings reloaded')).toMatchObject({ changed: [], burst_size: 40 });
    expect(service.lines('Settings that changed apply at the next start')).toEqual([]);
  });

  it('logs the name of a secret whose file has changed, but never its value', async () => {
    const file = join(service.folder, 'api-key');
    writeFileSync(file, API_KEY);
    await service.start({ API_KEY_FILE: file }, '');
    const next = apiKey('next');
    writeFileSync(file, next);
    await service.reload('Settings reloaded');
    expect(await service.settingsForNextStart()).toEqual([
      expect.objectContaining({ settings: ['API_KEY'] }),
    ]);
    expect((await service.list()).status).toBe(200);
    rmSync(file);
    await service.reload('Settings were not reloaded: the previous ones stay');
    for (const secret of [API_KEY, next]) expect(service.output).not.toContain(secret);
    expect(await service.stop()).toBe(0);
  });
});

describeWithMariaDb('SIGHUP to the primary of two processes', () => {
  let database: TestDatabase;
  let service: ReloadedProcess;

  beforeEach(async () => {
    database = await createMariaDb();
    service = new ReloadedProcess();
  });

  afterEach(async () => {
    await service.stop();
    await database.drop();
  });

  it('reloads the settings of both', async () => {
    const env = { API_KEY, DATABASE_URL: database.url, WEB_CONCURRENCY: '2' };
    await service.start(env, 'RATE_LIMIT_BURST_SIZE=40\n');
    service.configure('RATE_LIMIT_BURST_SIZE=50\nLOG_LEVEL=debug\n');
    await service.reload('Settings reloaded');
    expect(service.lines('Processes did not confirm the reloaded settings')).toEqual([]);
    const pids = (): Set<unknown> => new Set(service.lines('Request completed').map(({ pid }) => pid));
    await until('requests to both', async () => {
      expect(await service.limits()).toBe('50');
      return pids().size === 2;
    });
  });
});
