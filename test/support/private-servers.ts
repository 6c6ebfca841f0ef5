/** Private servers for tests: on free ports of the loopback interface, in temporary folders, stopped by pid. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes, randomInt } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import type { Certificate } from './certificates';
import { databaseProduct, has } from './database-products';

/**
 * A server for one test or run. `stop` ends its process, `start` starts it again on the same port, and `destroy` also
 * removes its files.
 */
export abstract class PrivateServer {
  readonly folder: string;
  /** Each server has its own password, so that a server on a port that another one had is not mistaken for it. */
  protected readonly password = randomBytes(8).toString('hex');
  private child: ChildProcess | undefined;
  private readonly cleanUp: () => void;

  protected constructor(
    private readonly title: string,
    readonly port: number,
  ) {
    this.folder = mkdtempSync(join(tmpdir(), `relayer-${title.toLowerCase()}-`));
    this.cleanUp = () => {
      rmSync(this.folder, { recursive: true, force: true });
    };
  }

  abstract get url(): string;
  protected abstract command(): [program: string, ...parameters: string[]];
  protected abstract ping(): Promise<unknown>;

  /** Installs and starts the server. If that fails, nothing is left behind. */
  protected async begin(install?: () => void): Promise<this> {
    try {
      if (process.env.TEST_SERVERS === 'none')
        throw new Error(
          `${this.title} must not be started here: a suite that needs it is named *.server.spec.ts`,
        );
      install?.();
      await this.start();
      return this;
    } catch (error) {
      this.cleanUp();
      throw error;
    }
  }

  async start(): Promise<void> {
    const [program, ...parameters] = this.command();
    const child = launch(program, parameters, join(this.folder, 'log'));
    this.child = child;
    try {
      await until(this.title, () => this.isReady(), child);
    } catch (error) {
      await this.stop('SIGKILL');
      throw error;
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { child } = this;
    if (!child || hasEnded(child)) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  async destroy(): Promise<void> {
    await this.stop();
    this.cleanUp();
  }

  /** Writes the certificate with which the server starts the next time. */
  certify({ key, cert }: Certificate): void {
    writeFileSync(this.keyFile, key, { mode: 0o600 });
    writeFileSync(this.certificateFile, cert);
  }

  protected get keyFile(): string {
    return join(this.folder, 'server.key');
  }

  protected get certificateFile(): string {
    return join(this.folder, 'server.pem');
  }

  private async isReady(): Promise<boolean> {
    try {
      await this.ping();
      return true;
    } catch {
      return false;
    }
  }
}

/** Connections of tests to servers whose certificates are the subject of the test. */
const ANY_CERTIFICATE = { rejectUnauthorized: false };

interface MariaDbOptions {
  /** Whether it keeps its data when it is killed. */
  durable?: boolean;
  /** If there is one, only connections with TLS are accepted. */
  certificate?: Certificate;
  /** Further options of the program. */
  parameters?: readonly string[];
}

/** A MariaDB, or a MySQL if TEST_MYSQLD is set, with one account that has all privileges. */
export class PrivateMariaDb extends PrivateServer {
  private readonly user = process.getuid?.() === 0 ? ['--user=root'] : [];
  private readonly product = databaseProduct();

  private constructor(
    port: number,
    private readonly options: MariaDbOptions,
  ) {
    super('MariaDB', port);
    if (options.certificate) this.certify(options.certificate);
  }

  static available(): boolean {
    return databaseProduct().available();
  }

  static async create(options: MariaDbOptions = {}): Promise<PrivateMariaDb> {
    const server = new PrivateMariaDb(await freePort(), options);
    return server.begin(() => {
      server.install();
    });
  }

  get url(): string {
    return this.urlAt('127.0.0.1');
  }

  urlAt(host: string): string {
    return `mysql://test:${this.password}@${host}:${this.port}`;
  }

  private install(): void {
    mkdirSync(join(this.folder, 'tmp'));
    writeFileSync(
      join(this.folder, 'init.sql'),
      `CREATE USER IF NOT EXISTS test@'127.0.0.1' IDENTIFIED BY '${this.password}';\nGRANT ALL ON *.* TO test@'127.0.0.1';\n`,
    );
    this.product.install(this.folder, this.user);
  }

  protected command(): [string, ...string[]] {
    const { folder, port } = this;
    return [
      this.product.program,
      '--no-defaults',
      ...this.user,
      `--datadir=${join(folder, 'data')}`,
      `--socket=${join(folder, 'socket')}`,
      // A starting server deletes all temporary tables that it finds, including those of another server, which then
      // crashes.
      `--tmpdir=${join(folder, 'tmp')}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--init-file=${join(folder, 'init.sql')}`,
      '--skip-log-bin',
      ...this.product.options,
      '--skip-name-resolve',
      ...(this.options.certificate
        ? [`--ssl-cert=${this.certificateFile}`, `--ssl-key=${this.keyFile}`, '--require-secure-transport=ON']
        : []),
      ...(this.options.durable
        ? []
        : [
            ...this.product.undurable,
            '--innodb-flush-log-at-trx-commit=0',
            '--innodb-doublewrite=0',
            '--innodb-fast-shutdown=2',
          ]),
      '--character-set-server=utf8mb4',
      '--max-connections=300',
      ...(this.options.parameters ?? []),
    ];
  }

  protected async ping(): Promise<void> {
    await this.query('SELECT 1');
  }

  async query(statement: string): Promise<void> {
    const ssl = this.options.certificate && ANY_CERTIFICATE;
    const connection = await createConnection({ uri: this.url, ...(ssl && { ssl }) });
    try {
      await connection.query(statement);
    } finally {
      await connection.end();
    }
  }

  /** Executes statements with rights that `url` does not give. */
  async administer(...statements: string[]): Promise<void> {
    const connection = await createConnection({ user: 'root', socketPath: join(this.folder, 'socket') });
    for (const statement of statements) await connection.query(statement);
    await connection.end();
  }

  /**
   * Creates the empty database `relayer`.
   *
   * @returns the URL for an account that, as that of the service, may not write if the server is read-only
   */
  async createRelayer(): Promise<string> {
    await this.administer(
      'CREATE DATABASE relayer CHARACTER SET utf8mb4',
      "CREATE USER relayer@'127.0.0.1' IDENTIFIED BY 'pa55word'",
      "GRANT ALL ON relayer.* TO relayer@'127.0.0.1'",
    );
    return `mysql://relayer:pa55word@127.0.0.1:${this.port}/relayer`;
  }
}

/** A Redis that stores nothing on disk. */
export class PrivateRedis extends PrivateServer {
  private constructor(
    port: number,
    private readonly certificate: Certificate | undefined,
  ) {
    super('Redis', port);
    if (certificate) this.certify(certificate);
  }

  static available(): boolean {
    return has('redis-server');
  }

  /** @param certificate if there is one, only connections with TLS are accepted */
  static async create(certificate?: Certificate): Promise<PrivateRedis> {
    return new PrivateRedis(await freePort(), certificate).begin();
  }

  get url(): string {
    return this.urlAt('127.0.0.1');
  }

  urlAt(host: string): string {
    const scheme = this.certificate ? 'rediss' : 'redis';
    return `${scheme}://:${this.password}@${host}:${this.port}/0`;
  }

  /** Deletes all keys. */
  async flush(): Promise<void> {
    await this.withClient((client) => client.flushall());
  }

  protected command(): [string, ...string[]] {
    return [
      'redis-server',
      ...(this.certificate
        ? [
            ...['--port', '0', '--tls-port', String(this.port), '--tls-auth-clients', 'no'],
            ...['--tls-cert-file', this.certificateFile, '--tls-key-file', this.keyFile],
          ]
        : ['--port', String(this.port)]),
      ...['--bind', '127.0.0.1'],
      ...['--requirepass', this.password],
      ...['--save', ''],
      ...['--appendonly', 'no'],
      ...['--dir', this.folder],
    ];
  }

  protected async ping(): Promise<void> {
    await this.withClient((client) => client.ping());
  }

  private async withClient(work: (client: Redis) => Promise<unknown>): Promise<void> {
    const client = new Redis(this.url, {
      ...(this.certificate && { tls: ANY_CERTIFICATE }),
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await work(client);
    } finally {
      client.disconnect();
    }
  }
}

/** Ports below those that operating systems assign by themselves, to listeners and to outgoing connections. */
const FIRST_PORT = 10_000;
const LAST_PORT = 32_000;

/**
 * A port of the loopback interface on which nothing listens. It is a random one that no other process gets from the
 * operating system before it is used.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Less than the time limit of a test, whose failure would not say what the test was waiting for. */
const LIMIT_MS = 120_000;

/**
 * Waits until a condition is true.
 *
 * @param child the process that is to make it true; if that ends, the wait ends too
 */
export async function until(
  what: string,
  ready: () => boolean | Promise<boolean>,
  child?: ChildProcess,
): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (performance.now() < end) {
    if (child && hasEnded(child)) throw new Error(`${what} ended before it was ready`);
    if (await ready()) return;
    await sleep(20);
  }
  throw new Error(`${what} did not become ready within ${LIMIT_MS / 1000} s`);
}

/** Starts a server that logs to a file. If it ends without having been stopped, the end of that log is printed. */
function launch(program: string, parameters: string[], log: string): ChildProcess {
  const file = openSync(log, 'a');
  const child = spawn(program, parameters, { stdio: ['ignore', file, file] });
  closeSync(file);
  child.once('exit', (code, signal) => {
    if (child.killed) return;
    const lines = readFileSync(log, 'utf8').split('\n').slice(-60).join('\n');
    console.error(`${program} (pid ${child.pid}) ended by itself, ${signal ?? `code ${code}`}:\n${lines}`);
  });
  return child;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;
