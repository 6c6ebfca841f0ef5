import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { TestApplication } from '../support/application';
import { createSqlite, type TestDatabase } from '../support/databases';
import { send } from '../support/http';
import { TestNotification } from '../support/notifications';
import { freePort, until } from '../support/private-servers.cjs';

const EXAMPLE = join(__dirname, '../../examples/receive-webhook.cjs');
const RAW = 'a signing key of 32 bytes: ä--1';
/** The bytes 0 to 31. */
const STANDARD = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

describe('The example of a receiver', () => {
  let database: TestDatabase;
  let service: TestApplication;
  let child: ChildProcess;
  let url: string;
  let output: string;

  const run = async (key: string): Promise<void> => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    output = '';
    child = spawn(process.execPath, [EXAMPLE], { env: { SIGNING_KEY: key, PORT: String(port) } });
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(
      'the receiver',
      async () => (await send(url, { path: '/' }).catch(() => undefined))?.status === 401,
    );
  };

  beforeEach(async () => {
    database = await createSqlite();
    service = await TestApplication.start(database);
  });

  afterEach(async () => {
    child.kill('SIGKILL');
    await service.close();
    await database.drop();
  });

  it.each([RAW, STANDARD])('takes each event once, with the key %s', async (key) => {
    await run(key);
    const hook = await TestNotification.add(service, url, { signing_key: service.keepSecret(key) });
    const first = await hook.test();
    await hook.until(first.id, 'delivered', ({ state }) => state === 'delivered');
    await hook.post(`/deliveries/${first.id}/replay`);
    const again = await hook.until(first.id, 'delivered again', ({ attempts }) => attempts?.length === 2);
    expect(again.attempts?.map(({ status }) => status)).toEqual([204, 204]);
    expect(output).toBe('test test\n');
    await hook.test();
    await until('the second event', () => output === 'test test\ntest test\n');
  });

  it('takes nothing that another key has signed', async () => {
    await run(RAW);
    const hook = await TestNotification.add(service, url, { signing_key: STANDARD });
    const { id } = await hook.test();
    expect(await hook.until(id, 'an answer', ({ last_status }) => last_status !== undefined)).toMatchObject({
      state: 'pending',
      last_status: 401,
    });
    expect(output).toBe('');
  });

  it('takes nothing that is old, unsigned or changed, and survives who hangs up', async () => {
    await run(RAW);
    const post = async (
      secondsAgo: number,
      changes: object = {},
      body = '{"id":"1","event":"e","payload":{}}',
    ) => {
      const time = Math.floor(Date.now() / 1000) - secondsAgo;
      const signature = createHmac('sha256', RAW)
        .update(`1.${time}.{"id":"1","event":"e","payload":{}}`)
        .digest('base64');
      const signed = { 'webhook-id': '1', 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
      return (await send(url, { method: 'POST', path: '/', headers: { ...signed, ...changes }, body }))
        .status;
    };
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.resume().end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
    await once(socket, 'close');
    expect(await post(301)).toBe(401);
    expect(await post(-302)).toBe(401);
    expect(await post(0, { 'webhook-id': '2' })).toBe(401);
    expect(await post(0, { 'webhook-signature': '' })).toBe(401);
    expect(await post(0, {}, '{"id":"1","event":"f","payload":{}}')).toBe(401);
    expect(output).toBe('');
    expect(await post(0)).toBe(204);
    expect(output).toBe('e undefined\n');
  });

  it('does not start without a key', async () => {
    child = spawn(process.execPath, [EXAMPLE], { env: {}, stdio: 'ignore' });
    expect(await once(child, 'close')).toEqual([1, null]);
  });
});
