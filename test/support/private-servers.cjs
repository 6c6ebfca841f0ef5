/** Private servers for the tests: on free ports of the loopback interface, in temporary folders, stopped by pid. */
const { execFileSync, spawn, spawnSync } = require('node:child_process');
const { randomBytes } = require('node:crypto');
const {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { createServer } = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const isRoot = process.getuid?.() === 0;

function has(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function until(what, ready, child) {
  for (let i = 0; i < 300; i += 1) {
    if (child && hasEnded(child)) throw new Error(`${what} ended before it was ready`);
    if (await ready()) return;
    await sleep(100);
  }
  throw new Error(`${what} did not become ready within 30 s`);
}

/** Starts a server that logs to a file. When it ends without having been stopped, the run says so with the end of that log. */
function launch(program, parameters, log) {
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

/** Of a server's own: where another one has got its port, that one is not taken for it. */
const newPassword = () => randomBytes(8).toString('hex');

/** Does `work` in a new folder, which is removed where it fails. */
async function inNewFolder(prefix, work) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  try {
    return await work(folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;

/** Stops a child and waits for its end. */
function stop(child, signal = 'SIGTERM') {
  if (hasEnded(child)) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill(signal);
  });
}

/** A MariaDB with one account that may do everything; only a durable one keeps its data when killed. `stop` keeps the data, `start` serves it again. */
class PrivateMariaDb {
  static available() {
    return has('mariadbd') && has('mariadb-install-db');
  }

  static create({ durable = false } = {}) {
    return inNewFolder('relayer-mariadb-', async (folder) => {
      const server = new PrivateMariaDb();
      server.durable = durable;
      server.folder = folder;
      server.password = newPassword();
      server.user = isRoot ? ['--user=root'] : [];
      server.install();
      server.port = await freePort();
      await server.start();
      return server;
    });
  }

  install() {
    mkdirSync(join(this.folder, 'tmp'));
    writeFileSync(
      join(this.folder, 'init.sql'),
      `CREATE USER IF NOT EXISTS test@'127.0.0.1' IDENTIFIED BY '${this.password}';\nGRANT ALL ON *.* TO test@'127.0.0.1';\n`,
    );
    execFileSync(
      'mariadb-install-db',
      [
        '--no-defaults',
        `--datadir=${join(this.folder, 'data')}`,
        '--auth-root-authentication-method=normal',
        '--skip-test-db',
        ...this.user,
      ],
      { stdio: 'ignore' },
    );
  }

  get url() {
    return `mysql://test:${this.password}@127.0.0.1:${this.port}`;
  }

  async start() {
    const { folder, port } = this;
    this.child = launch(
      'mariadbd',
      [
        '--no-defaults',
        ...this.user,
        `--datadir=${join(folder, 'data')}`,
        `--socket=${join(folder, 'socket')}`,
        // A server that starts deletes the temporary tables that it finds, also those of another one, which then crashes.
        `--tmpdir=${join(folder, 'tmp')}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        `--init-file=${join(folder, 'init.sql')}`,
        '--skip-log-bin',
        '--skip-name-resolve',
        ...(this.durable
          ? []
          : ['--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=0', '--innodb-fast-shutdown=2']),
        '--innodb-log-file-size=16M',
        '--character-set-server=utf8mb4',
        '--max-connections=300',
      ],
      join(folder, 'error.log'),
    );
    try {
      await until('MariaDB', () => this.answers(), this.child);
    } catch (error) {
      await this.stop('SIGKILL');
      throw error;
    }
  }

  async answers() {
    const mysql = require('mysql2/promise');
    try {
      const connection = await mysql.createConnection(this.url);
      await connection.end();
      return true;
    } catch {
      return false;
    }
  }

  stop(signal) {
    return stop(this.child, signal);
  }

  async destroy() {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A Redis that keeps nothing on disk. */
class PrivateRedis {
  static available() {
    return has('redis-server');
  }

  static create() {
    return inNewFolder('relayer-redis-', async (folder) => {
      const server = new PrivateRedis();
      server.folder = folder;
      server.password = newPassword();
      server.port = await freePort();
      await server.start();
      return server;
    });
  }

  get url() {
    return `redis://:${this.password}@127.0.0.1:${this.port}/0`;
  }

  async start() {
    this.child = launch(
      'redis-server',
      [
        '--port',
        String(this.port),
        '--bind',
        '127.0.0.1',
        '--requirepass',
        this.password,
        '--save',
        '',
        '--appendonly',
        'no',
        '--dir',
        this.folder,
      ],
      join(this.folder, 'log'),
    );
    try {
      await until('Redis', () => this.answers(), this.child);
    } catch (error) {
      await this.stop('SIGKILL');
      throw error;
    }
  }

  async answers() {
    try {
      return (await this.ask((client) => client.ping())) === 'PONG';
    } catch {
      return false;
    }
  }

  /** Forgets everything. */
  async flush() {
    await this.ask((client) => client.flushall());
  }

  async ask(question) {
    const { Redis } = require('ioredis');
    const client = new Redis(this.url, {
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return await question(client);
    } finally {
      client.disconnect();
    }
  }

  stop(signal) {
    return stop(this.child, signal);
  }

  async destroy() {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

module.exports = { PrivateMariaDb, PrivateRedis, freePort, until };
