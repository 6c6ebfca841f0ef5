/** The built service in a process of its own, as in production, with relayers to sign for. */
const { randomBytes } = require('node:crypto');
const { closeSync, mkdtempSync, openSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { start } = require('./process.cjs');
const { freePort, until } = require('../test/support/private-servers.cjs');

const MAIN = join(__dirname, '../dist/main.js');
const PROFILES = join(__dirname, '../build/bench');
const NETWORK = { name: 'bench', network_type: 'evm', chain_id: 424242 };
const RELAYERS = 10;

class BenchedService {
  /**
   * @param profile whether the process leaves a CPU profile in build/bench
   * @param preload a script that the process runs first
   * @param main the program to run; by default that of this build
   * @param nodeOptions of Node itself
   * @param settings further variables of its environment
   * @param database as `DATABASE_URL` takes it; by default a SQLite file of the service's own
   */
  static async create({ profile, preload, nodeOptions = [], settings, main = MAIN }, database) {
    const service = new BenchedService();
    service.folder = mkdtempSync(join(tmpdir(), 'relayer-bench-'));
    service.apiKey = randomBytes(32).toString('hex');
    const port = await freePort();
    service.url = `http://127.0.0.1:${port}`;
    const log = openSync(join(service.folder, 'log'), 'a');
    service.process = start(
      [
        ...nodeOptions,
        ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`] : []),
        ...(preload ? ['--require', preload] : []),
        main,
      ],
      {
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        API_KEY: service.apiKey,
        STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        DATABASE_URL: database ?? `sqlite:${join(service.folder, 'relayer.sqlite')}`,
        // Every request is counted, none is refused.
        RATE_LIMIT_REQUESTS_PER_SECOND: '1000000',
        RATE_LIMIT_BURST_SIZE: '1000000',
        ...settings,
      },
      log,
    );
    closeSync(log);
    try {
      await until('the service', () => service.answers());
      await service.fill();
    } catch (error) {
      process.stderr.write(readFileSync(join(service.folder, 'log'), 'utf8').slice(-4000));
      await service.destroy();
      throw error;
    }
    return service;
  }

  get pid() {
    return this.process.pid;
  }

  get relayerIds() {
    return Array.from({ length: RELAYERS }, (_, i) => `bench-${i}`);
  }

  get headers() {
    return { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' };
  }

  async answers() {
    if (this.process.child.exitCode !== null) throw new Error('The service ended');
    return fetch(`${this.url}/v1/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** The network has no RPC endpoint, so that nothing but signing goes on. */
  async fill() {
    await this.post('/api/v1/networks', NETWORK);
    for (const id of this.relayerIds) {
      const config = { key: randomBytes(32).toString('hex') };
      await this.post('/api/v1/signers', { id, type: 'plain', config });
      await this.post('/api/v1/relayers', {
        id,
        name: id,
        network: NETWORK.name,
        network_type: NETWORK.network_type,
        signer_id: id,
        paused: false,
      });
    }
  }

  async post(path, body) {
    const answer = await fetch(this.url + path, {
      method: 'POST',
      headers: this.headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
  }

  async destroy() {
    await this.process.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

module.exports = { BenchedService, NETWORK };
