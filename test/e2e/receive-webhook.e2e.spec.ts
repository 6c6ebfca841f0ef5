import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describeService } from '../support/describe-service';
import { send } from '../support/http';
import { TestNotification } from '../support/notifications';
import { freePort, until } from '../support/private-servers';

const EXAMPLE = join(__dirname, '../../examples/receive-webhook.cjs');
const RAW = 'a signing key of 32 bytes: ä--1';
/** The bytes 0 to 31. */
const STANDARD = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

describeService('The example receiver', { startFor: 'test', onlySqlite: true }, ({ service }) => {
  let child: ChildProcess | undefined;
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
      async () => (await send(url, { path: '/' }).catch(() => undefined)) !== undefined,
    );
  };

  afterEach(() => {
    child?.kill('SIGKILL');
  });

  it.each([RAW, STANDARD])('processes each event once with the key %s', async (key) => {
    await run(key);
    const hook = await TestNotification.add(service, url, { signing_key: service.keepSecret(key) });
    const first = await hook.test();
    await hook.until(first.id, 'delivered', ({ state }) => state === 'delivered');
    await hook.post(`/deliveries/${first.id}/replay`);
    const again = await hook.until(first.id, 'delivered again', ({ attempts }) => attempts?.length === 2);
    expect(again.attempts?.map(({ status }) => status)).toEqual([204, 204]);
    await until('the first event', () => output === 'test test\n');
    await hook.test();
    await until('the second event', () => output === 'test test\ntest test\n');
  });

  it('rejects an event signed with another key', async () => {
    await run(RAW);
    const hook = await TestNotification.add(service, url, { signing_key: STANDARD });
    const { id } = await hook.test();
    expect(await hook.until(id, 'a response', ({ last_status }) => last_status !== undefined)).toMatchObject({
      state: 'pending',
      last_status: 401,
    });
    expect(output).toBe('');
  });

  const BODY = '{"id":"1","event":"e","payload":{}}';

  /** Posts a request signed with the key `RAW`, optionally altered after signing. */
  const post = async (signed: string, { secondsAgo = 0, headers = {}, body = signed } = {}) => {
    const time = Math.floor(Date.now() / 1000) - secondsAgo;
    const signature = createHmac('sha256', RAW).update(`1.${time}.${signed}`).digest('base64');
    const own = { 'webhook-id': '1', 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
    return (await send(url, { method: 'POST', path: '/', headers: { ...own, ...headers }, body })).status;
  };

  it('rejects old, unsigned and altered requests, and survives a client that disconnects', async () => {
    await run(RAW);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.resume().end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
    await once(socket, 'close');
    expect(await post(BODY, { secondsAgo: 301 })).toBe(401);
    expect(await post(BODY, { secondsAgo: -302 })).toBe(401);
    expect(await post(BODY, { headers: { 'webhook-id': '2' } })).toBe(401);
    for (const signature of ['', 'v1', 'v1,', 'v2,AAAA', ' , '])
      expect(await post(BODY, { headers: { 'webhook-signature': signature } })).toBe(401);
    expect(await post(BODY, { body: BODY.replace('"e"', '"f"') })).toBe(401);
    expect(output).toBe('');
    expect(await post(BODY)).toBe(204);
    await until('the event', () => output === 'e undefined\n');
  });

  it('returns 500 when processing fails, and processes the event when it is sent again', async () => {
    await run(RAW);
    expect(await post('{"id":"1","event":"e"}')).toBe(500);
    expect(await post('{')).toBe(500);
    expect(await post(BODY)).toBe(204);
    await until('the event', () => output === 'e undefined\n');
  });

  it('rejects bodies larger than any event, with or without Content-Length', async () => {
    await run(RAW);
    const large = ' '.repeat(3 << 20);
    expect(await post(large)).toBe(413);
    const stream = new Blob([large]).stream();
    expect((await fetch(url, { method: 'POST', body: stream, duplex: 'half' })).status).toBe(413);
    expect(await post(BODY + ' '.repeat(1 << 20))).toBe(204);
  });

  it('stops reading at the limit, responds, and closes the connection', async () => {
    await run(RAW);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let response = '';
    socket.setEncoding('utf8').on('data', (text: string) => (response += text));
    const closed = once(socket, 'close');
    // A body that never ends.
    const length = (1 << 21) + 1;
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n`,
    );
    socket.write(' '.repeat(length));
    await closed;
    expect(response).toMatch(/^HTTP\/1\.1 413 .*\r\nConnection: close\r\n/is);
  });

  it('remembers the latest 10 000 events', async () => {
    await run(RAW);
    const events = Array.from({ length: 10_001 }, (_, i) => BODY.replace('"1"', `"${i}"`));
    while (events.length > 0) await Promise.all(events.splice(0, 50).map((event) => post(event)));
    await post(BODY.replace('"1"', '"10000"'));
    await until('all', () => output.length === 10_001 * 'e undefined\n'.length);
    await post(BODY.replace('"1"', '"0"'));
    await until('the first again', () => output.length === 10_002 * 'e undefined\n'.length);
  });

  it.each([
    ['', 'SIGNING_KEY is missing\n'],
    ['x', 'SIGNING_KEY is too short\n'],
    ['whsec_', 'SIGNING_KEY is too short\n'],
    ['whsec_AAECAwQFBgcICQoLDA0ODxAREhM=', 'SIGNING_KEY is too short\n'],
  ])('does not start with the key %j', (key, text) => {
    const { status, stderr } = spawnSync(process.execPath, [EXAMPLE], {
      env: { SIGNING_KEY: key, PORT: '0' },
      encoding: 'utf8',
      timeout: 5000,
    });
    expect([status, stderr]).toEqual([1, text]);
  });
});
