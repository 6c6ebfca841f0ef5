import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { CertificateAuthority } from '../../../test/support/certificates';
import { DnsServer } from '../../../test/support/dns-server';
import { outboundHttp, type OutboundSettings } from '../../../test/support/outbound';
import { rawResponse, type RawResponse, RawServer } from '../../../test/support/raw-server';
import { Secret } from '../../common/secrets/secret';
import { SecretCipher } from '../../secrets/secret-cipher';
import type { AppConfig } from '../../config/app-config';
import type { OutboundHttp } from '../../outbound/outbound-http';
import type { OutboundRequest } from '../../outbound/outbound-message';
import { NOTIFICATION_PREVIOUS_KEY, NOTIFICATION_SIGNING_KEY } from '../notification.entity';
import type { DueDelivery, Receiver } from './delivery.entity';
import { DeliverySender } from './delivery-sender';

const SEALED_COLUMNS = [NOTIFICATION_SIGNING_KEY, NOTIFICATION_PREVIOUS_KEY];
const TIMEOUT_MS = 400;
const PUBLIC_ADDRESS = '8.8.8.8';
const GIGABYTE = 1 << 30;
const MEGABYTE = Buffer.alloc(1 << 20, 'x');
const METADATA = 'http://169.254.169.254/latest/meta-data';

function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 20);
  socket.on('close', () => {
    clearInterval(timer);
  });
}

function pour(socket: Socket): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(MEGABYTE));
  };
  socket.on('drain', more);
  more();
}

describe('DeliverySender', () => {
  const cipher = new SecretCipher([new Secret(Buffer.alloc(32, 1).toString('base64'))], SEALED_COLUMNS);
  let http: OutboundHttp;
  let server: RawServer | undefined;

  afterEach(async () => {
    await http.onApplicationShutdown();
    await server?.close();
    server = undefined;
  });

  /** @param remoteAddress the receiver's address, instead of the real one */
  const sender = (
    settings: OutboundSettings = { allow: '127.0.0.1' },
    remoteAddress = PUBLIC_ADDRESS,
  ): DeliverySender => {
    http = outboundHttp(settings);
    const post = async (request: OutboundRequest) => ({ ...(await http.post(request)), remoteAddress });
    const webhooks = { timeoutMs: TIMEOUT_MS };
    return new DeliverySender(
      { post } as unknown as OutboundHttp,
      cipher,
      new ConfigService<AppConfig, true>({ webhooks }),
    );
  };

  const deliveryTo = (url: string, more: Partial<Receiver> = {}): DueDelivery => ({
    id: '0f4c2a9e-6f0f-4f43-9a3e-3d7a5b0d8c11',
    notificationId: 'hook',
    relayerId: null,
    event: 'test',
    payload: { payload_type: 'test' },
    state: 'pending',
    attempts: 0,
    giveUpAt: new Date(),
    nextAttemptAt: new Date(),
    lastStatus: null,
    lastFailure: null,
    finishedAt: null,
    traceContext: null,
    createdAt: new Date('2026-01-31T12:00:00.000Z'),
    notification: {
      id: 'hook',
      url,
      signingKey: null,
      previousSigningKey: null,
      previousKeyUntil: null,
      switchedOffAt: null,
      ...more,
    },
  });

  async function serve(response: RawResponse): Promise<string> {
    server = await RawServer.start(response);
    return `${server.url}/hook`;
  }

  const sendTo = async (response: RawResponse) => sender().send(deliveryTo(await serve(response)));

  it("posts the body, and returns the receiver's response", async () => {
    const result = await sendTo((socket) => socket.write(rawResponse('thanks', '202 Accepted')));
    expect(result).toEqual({
      startedAt: expect.any(Date),
      durationMs: expect.any(Number),
      status: 202,
      failure: null,
      answer: 'thanks',
    });
    const [head = '', body] = server!.requests[0]!.split('\r\n\r\n');
    expect(head).toMatch(/^POST \/hook HTTP\/1\.1\r\n/);
    expect(head).toMatch(/\r\nwebhook-id: 0f4c2a9e-6f0f-4f43-9a3e-3d7a5b0d8c11\r\n/);
    expect(body).toBe(
      '{"id":"0f4c2a9e-6f0f-4f43-9a3e-3d7a5b0d8c11","event":"test","payload":{"payload_type":"test"},"timestamp":"2026-01-31T12:00:00.000Z"}',
    );
  });

  it.each<[string, RawResponse, object]>([
    ['says nothing', () => undefined, { status: null, failure: 'timeout', answer: null }],
    [
      'responds a byte at a time',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n');
        drip(socket, 'x');
      },
      { status: null, failure: 'timeout', answer: null },
    ],
    ['hangs up', (socket) => socket.end(), { status: null, failure: 'connection', answer: null }],
    [
      'closes in the middle of its response',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'),
      { status: null, failure: 'cut_off', answer: null },
    ],
    [
      'sends a gigabyte',
      (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${GIGABYTE}\r\n\r\n`);
        pour(socket);
      },
      { status: 200, failure: null, answer: 'x'.repeat(4096) },
    ],
    [
      'redirects to a metadata service',
      (socket) => socket.write(rawResponse('', '307 Temporary Redirect', `Location: ${METADATA}\r\n`)),
      { status: 307, failure: 'status', answer: '' },
    ],
    [
      'fails',
      (socket) => socket.write(rawResponse('oh no', '500 Internal Server Error')),
      { status: 500, failure: 'status', answer: 'oh no' },
    ],
    ['is gone', (socket) => socket.write(rawResponse('', '410 Gone')), { status: 410, failure: 'gone' }],
    [
      'asks to wait',
      (socket) => socket.write(rawResponse('', '429 Too Many Requests', 'Retry-After: 120\r\n')),
      { status: 429, failure: 'status', retryAfterMs: 120_000 },
    ],
    [
      'asks for nothing that can be understood',
      (socket) => socket.write(rawResponse('', '503 Service Unavailable', 'Retry-After: soon\r\n')),
      { status: 503, failure: 'status' },
    ],
  ])('returns the result for a receiver that %s', async (_name, response, result) => {
    const told = await sendTo(response);
    expect(told).toMatchObject(result);
    expect('retryAfterMs' in told).toBe('retryAfterMs' in result);
    expect(server!.requests).toHaveLength(1);
    expect(server!.sockets[0]!.bytesWritten).toBeLessThan(100 * MEGABYTE.length);
  });

  it.each([
    '127.0.0.1',
    '10.0.0.7',
    '::1',
    'fd00::7',
    '::ffff:10.0.0.7',
    '64:ff9b::10.0.0.7',
    '169.254.169.254',
    '',
  ])('returns only the status code of a response from %j', async (remoteAddress) => {
    const url = await serve((socket) => socket.write(rawResponse('internal', '404 Not Found')));
    expect(await sender(undefined, remoteAddress).send(deliveryTo(url))).toMatchObject({
      status: 404,
      failure: 'status',
      answer: '(not recorded: the receiver is at a private address)',
    });
  });

  it('uses the address of the actual connection', async () => {
    const url = await serve((socket) => socket.write(rawResponse('internal')));
    const real = new DeliverySender(
      (http = outboundHttp({ allow: '127.0.0.1' })),
      cipher,
      new ConfigService<AppConfig, true>({ webhooks: { timeoutMs: TIMEOUT_MS } }),
    );
    expect(await real.send(deliveryTo(url))).toMatchObject({
      answer: expect.stringMatching(/^\(not recorded/),
    });
  });

  it('replaces characters that some databases reject', async () => {
    const told = await sendTo((socket) => {
      const body = Buffer.from([0x61, 0x00, 0xff, 0x62]);
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`);
      socket.write(body);
    });
    expect(told.answer).toBe('a\uFFFD\uFFFDb');
  });

  it.each([[METADATA], ['http://10.0.0.1/hook'], ['http://127.0.0.2:9/hook'], ['http://[::ffff:10.0.0.1]/']])(
    'does not connect to %s',
    async (url) => {
      expect(await sender().send(deliveryTo(url))).toMatchObject({ status: null, failure: 'refused' });
    },
  );

  it('names the notification of a former receiver that may not be called, as requests do', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const payload = { payload_type: 'notification_deleted', notification_id: 'hook' } as const;
    await sender().send({ ...deliveryTo(METADATA), notificationId: 'former:7', payload });
    expect(warn).toHaveBeenCalledWith('A receiver may not be called', {
      notification: 'hook',
      cause: expect.any(String),
    });
    warn.mockRestore();
  });

  it.each([['10.0.0.1'], ['169.254.169.254']])(
    'does not connect to a host name that resolves to %s',
    async (address) => {
      const dns = await DnsServer.start(() => [address]);
      const sent = await sender({ lookup: dns.lookup }).send(deliveryTo('https://hooks.test/hook'));
      expect(sent).toMatchObject({ status: null, failure: 'refused' });
      expect(dns.questions).toEqual(['hooks.test']);
      await dns.close();
    },
  );

  it('sends nothing to a receiver with a bad certificate', async () => {
    const authority = new CertificateAuthority();
    let requests = 0;
    const https = createHttpsServer(authority.selfSigned('hooks.test'), () => (requests += 1));
    https.listen(0, '127.0.0.1');
    await once(https, 'listening');
    const { port } = https.address() as AddressInfo;
    const toLoopback = { allow: '127.0.0.1', lookup: () => Promise.resolve(['127.0.0.1']) };
    const sent = await sender(toLoopback).send(deliveryTo(`https://hooks.test:${port}/hook`));
    expect(sent).toMatchObject({ status: null, failure: 'tls' });
    expect(requests).toBe(0);
    https.close();
    authority.remove();
  });

  it('does not send unsigned when the signing key cannot be read', async () => {
    const signingKey = cipher.seal(new Secret('x'.repeat(32)), { ...NOTIFICATION_SIGNING_KEY, row: 'other' });
    const url = await serve((socket) => socket.write(rawResponse('')));
    const sent = await sender().send(deliveryTo(url, { signingKey }));
    expect(sent).toMatchObject({ status: null, failure: 'unreadable_key' });
    expect(server!.requests).toEqual([]);
  });

  it('ends when it is aborted', async () => {
    const url = await serve(() => undefined);
    const stop = new AbortController();
    const sent = sender().send(deliveryTo(url), stop.signal);
    stop.abort();
    expect(await sent).toMatchObject({ status: null, failure: 'aborted' });
  });
});
