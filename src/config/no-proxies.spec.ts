import { execFile } from 'node:child_process';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rawResponse, RawServer } from '../../test/support/raw-server';
import { WITH_TYPESCRIPT } from '../../test/support/run-typescript';
import { useNoProxies } from './no-proxies';

const CALL = `
  const http = require('node:http');
  const { useNoProxies } = require(${JSON.stringify(join(__dirname, 'no-proxies'))});
  console.log(useNoProxies().join());
  http.get(process.env.TARGET, (response) => response.pipe(process.stdout));
`;

describe('useNoProxies', () => {
  const agents = [http.globalAgent, https.globalAgent] as const;

  afterEach(() => {
    [http.globalAgent, https.globalAgent] = agents;
  });

  it('replaces the global agents if there are proxies, and keeps their options', () => {
    const env: NodeJS.ProcessEnv = { HTTPS_PROXY: 'http://proxy.example', PORT: '1' };
    expect(useNoProxies(env)).toEqual(['HTTPS_PROXY']);
    expect(env).toEqual({ PORT: '1' });
    for (const [index, { globalAgent }] of [http, https].entries()) {
      expect(globalAgent).not.toBe(agents[index]);
      expect(globalAgent).toMatchObject({ options: { keepAlive: true, scheduling: 'lifo', timeout: 5000 } });
    }
  });

  it('keeps the global agents if there are none', () => {
    expect(useNoProxies({ NO_PROXY: '*' })).toEqual([]);
    expect([http.globalAgent, https.globalAgent]).toEqual(agents);
  });

  // Node before version 24 ignores these options.
  it.each(['NODE_USE_ENV_PROXY', 'NODE_OPTIONS'])('prevents calls through a proxy by %s', async (name) => {
    if (name === 'NODE_OPTIONS' && !process.allowedNodeEnvironmentFlags.has('--use-env-proxy')) return;
    const target = await RawServer.start((socket) => socket.end(rawResponse('direct')));
    const proxy = await RawServer.start((socket) => socket.end(rawResponse('through the proxy')));
    const { stdout } = await promisify(execFile)(process.execPath, [...WITH_TYPESCRIPT, '-e', CALL], {
      env: {
        PATH: process.env.PATH,
        TARGET: target.url,
        HTTP_PROXY: proxy.url,
        [name]: name === 'NODE_OPTIONS' ? '--use-env-proxy' : '1',
      },
    });
    expect(stdout).toBe('HTTP_PROXY\ndirect');
    expect(proxy.requests).toEqual([]);
    await target.close();
    await proxy.close();
  });
});
