/** The built service on relayers that it checks against nodes of this process. */
const { spawn } = require('node:child_process');
const { randomBytes } = require('node:crypto');
const { closeSync, mkdtempSync, openSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { performance } = require('node:perf_hooks');
const { freePort } = require('../test/support/private-servers.cjs');
const { ScriptedNode } = require('../test/support/scripted-node.cjs');
const { cpuSeconds, residentMegabytes } = require('./process.cjs');

const MAIN = join(__dirname, '../dist/main.js');
const FIRST_CHAIN_ID = 424_242;
const POSTS_AT_ONCE = 8;

class CheckedService {
  /**
   * @param database as `DATABASE_URL` takes it; by default a SQLite file of the service's own
   * @param interval seconds between the checks of a relayer
   */
  static async create({ name, database, relayers, networks, interval }) {
    const service = new CheckedService();
    Object.assign(service, { name, relayers, starts: [] });
    service.folder = mkdtempSync(join(tmpdir(), 'relayer-bench-'));
    service.apiKey = randomBytes(32).toString('hex');
    service.nodes = [];
    for (let i = 0; i < networks; i += 1) service.nodes.push(await ScriptedNode.start(FIRST_CHAIN_ID + i));
    service.env = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      API_KEY: service.apiKey,
      STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      DATABASE_URL: database ?? `sqlite:${join(service.folder, 'relayer.sqlite')}`,
      RATE_LIMIT_REQUESTS_PER_SECOND: '1000000',
      RATE_LIMIT_BURST_SIZE: '1000000',
      RELAYER_CHECK_INTERVAL_SECONDS: String(interval),
      OUTBOUND_ALLOW: '127.0.0.0/8',
    };
    try {
      await service.start();
      await service.fill();
      await service.stop();
    } catch (error) {
      await service.destroy();
      throw error;
    }
    return service;
  }

  /** Milliseconds from the start of the process to its line `Listening`, and of its CPU time in between. */
  async start() {
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    const log = openSync(join(this.folder, 'log'), 'a');
    const startedAt = performance.now();
    this.child = spawn(process.execPath, [MAIN], {
      env: { ...this.env, PORT: String(port) },
      stdio: ['ignore', 'pipe', log],
    });
    closeSync(log);
    this.ended = new Promise((resolve) => this.child.once('exit', resolve));
    let output = '';
    await new Promise((resolve, reject) => {
      this.child.stdout.setEncoding('utf8').on('data', (chunk) => {
        if (output.includes('"Listening"')) return;
        output += chunk;
        if (output.includes('"Listening"')) resolve();
      });
      void this.ended.then(() => reject(new Error(`The service ended:\n${output}${this.errors()}`)));
    });
    return { ms: performance.now() - startedAt, cpuMs: cpuSeconds(this.child.pid) * 1000 };
  }

  async stop() {
    this.child?.kill('SIGTERM');
    await this.ended;
  }

  /** What the service has done so far: checks, the RPC calls of all checks, and seconds of CPU time. */
  async counts() {
    const { pid } = this.child;
    const answer = await fetch(`${this.url}/metrics/relayer_check_duration_seconds`);
    const counts = (await answer.text()).matchAll(/_count\{outcome="(\w+)"\} (\d+)/g);
    const byOutcome = Object.fromEntries([...counts].map(([, outcome, count]) => [outcome, Number(count)]));
    return {
      at: performance.now(),
      checks: byOutcome.passed ?? 0,
      failed: (byOutcome.failed ?? 0) + (byOutcome.error ?? 0),
      calls: this.nodes.reduce((sum, { calls }) => sum + calls, 0),
      cpu: cpuSeconds(pid),
      rss: residentMegabytes(pid),
    };
  }

  async destroy() {
    await this.stop();
    for (const node of this.nodes) await node.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async fill() {
    for (const [i, { url, chainId }] of this.nodes.entries()) {
      const network = { name: `bench-${i}`, network_type: 'evm', chain_id: chainId, rpc_urls: [url] };
      await this.post('networks', network);
    }
    const ids = Array.from({ length: this.relayers }, (_, i) => i);
    const worker = async () => {
      for (let i = ids.pop(); i !== undefined; i = ids.pop()) await this.addRelayer(i);
    };
    await Promise.all(Array.from({ length: POSTS_AT_ONCE }, worker));
  }

  async addRelayer(i) {
    const id = `bench-${i}`;
    const config = { key: randomBytes(32).toString('hex') };
    await this.post('signers', { id, type: 'plain', config });
    await this.post('relayers', {
      id,
      name: id,
      network: `bench-${i % this.nodes.length}`,
      network_type: 'evm',
      signer_id: id,
      paused: false,
    });
  }

  async post(resource, body) {
    const answer = await fetch(`${this.url}/api/v1/${resource}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`POST ${resource}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  }

  errors() {
    return readFileSync(join(this.folder, 'log'), 'utf8').slice(-4000);
  }
}

module.exports = { CheckedService };
