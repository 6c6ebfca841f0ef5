/** Instances of the built service on one database, in processes of their own, which can be killed and started again. */
const { randomBytes } = require('node:crypto');
const { closeSync, mkdtempSync, openSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { request } = require('undici');
const { freePort, until } = require('../../test/support/private-servers.cjs');
const { start } = require('../process.cjs');

const MAIN = join(__dirname, '../../dist/main.js');
const NETWORK = { name: 'bench', network_type: 'evm', chain_id: 424242 };
const CALL_MS = 20_000;

class Fleet {
  /** @param database as `DATABASE_URL` takes it */
  static async create({ instances = 1, database, redis, env = {} }) {
    const fleet = new Fleet();
    fleet.folder = mkdtempSync(join(tmpdir(), 'relayer-fleet-'));
    fleet.log = join(fleet.folder, 'log');
    fleet.env = {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      API_KEY: randomBytes(32).toString('hex'),
      STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      DATABASE_URL: database,
      // Every request is counted, none is refused.
      RATE_LIMIT_REQUESTS_PER_SECOND: '1000000',
      RATE_LIMIT_BURST_SIZE: '1000000',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      RELAYER_CHECK_INTERVAL_SECONDS: '0',
      ...(redis && { REDIS_URL: redis }),
      ...env,
    };
    fleet.instances = [];
    for (let index = 0; index < instances; index += 1) {
      fleet.instances.push({ port: await freePort() });
      try {
        await fleet.start(index);
      } catch (error) {
        process.stderr.write(readFileSync(fleet.log, 'utf8').slice(-4000));
        await fleet.destroy();
        throw error;
      }
    }
    return fleet;
  }

  /** Starts an instance on the port that it had before. */
  spawn(index) {
    const instance = this.instances[index];
    const log = openSync(this.log, 'a');
    instance.process = start([MAIN], { ...this.env, PORT: String(instance.port) }, log);
    closeSync(log);
  }

  async start(index) {
    this.spawn(index);
    await until('the service', () => this.isReady(index));
  }

  async isReady(index) {
    const { child } = this.instances[index].process;
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}`);
    return this.call(index, 'GET', '/api/v1/relayers?per_page=1').then(
      (status) => status === 200,
      () => false,
    );
  }

  kill(index) {
    const { child, ended } = this.instances[index].process;
    child.kill('SIGKILL');
    return ended;
  }

  /** Answers with the status. */
  async call(index, method, path, body) {
    const answer = await request(`http://127.0.0.1:${this.instances[index].port}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.env.API_KEY}`, 'content-type': 'application/json' },
      headersTimeout: CALL_MS,
      bodyTimeout: CALL_MS,
      ...(body && { body: JSON.stringify(body) }),
    });
    await answer.body.dump();
    return answer.statusCode;
  }

  async post(path, body) {
    const status = await this.call(0, 'POST', path, body);
    if (status !== 201) throw new Error(`POST ${path}: ${status}`);
  }

  /** For each URL a relayer, whose changes are told there. Answers their ids. */
  async addRelayers(urls) {
    await this.post('/api/v1/networks', NETWORK);
    const ids = urls.map((_, index) => `relayer-${index}`);
    for (const [index, id] of ids.entries()) {
      await this.post('/api/v1/notifications', { id, type: 'webhook', url: urls[index] });
      await this.post('/api/v1/signers', {
        id,
        type: 'plain',
        config: { key: randomBytes(32).toString('hex') },
      });
      const { name: network, network_type } = NETWORK;
      const relayer = {
        id,
        name: id,
        network,
        network_type,
        signer_id: id,
        notification_id: id,
        paused: false,
      };
      await this.post('/api/v1/relayers', relayer);
    }
    return ids;
  }

  async destroy() {
    await Promise.all(this.instances.map(({ process: instance }) => instance?.stop()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

module.exports = { Fleet };
