import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from './support/private-servers';

const SCRIPT = resolve('docker/healthcheck.cjs');

describe('The health check of the image', () => {
  let folder: string;
  let server: Server;
  let port: number;
  let closed: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'healthcheck-'));
    server = createServer(({ url }, response) => {
      response.writeHead(url === '/v1/health' ? 200 : 404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    closed = await freePort();
  });

  afterEach(() => {
    rmSync(join(folder, '.env'), { force: true });
  });

  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  const check = async (env: Record<string, string>): Promise<number> => {
    const child = spawn(process.execPath, [SCRIPT], { cwd: folder, env, stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as [number];
    return code;
  };

  it('uses the port of the environment', async () => {
    expect(await check({ PORT: ` ${port} ` })).toBe(0);
    expect(await check({ PORT: `${closed}` })).toBe(1);
  });

  it('uses the address in .env if the environment has none', async () => {
    writeFileSync(join(folder, '.env'), `\uFEFFPORT="${port}"\r\nHOST=0.0.0.0\r\n`);
    expect(await check({})).toBe(0);
    expect(await check({ PORT: ' ' })).toBe(0);
    writeFileSync(join(folder, '.env'), `PORT=${closed}\n`);
    expect(await check({})).toBe(1);
  });

  it('prefers the environment to .env', async () => {
    writeFileSync(join(folder, '.env'), `PORT=${closed}\nHOST=192.0.2.1\n`);
    expect(await check({ PORT: `${port}`, HOST: '127.0.0.1' })).toBe(0);
  });
});
