import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { createServer, type SecureVersion } from 'node:tls';
import { CertificateAuthority, type Certificate } from '../../../test/support/certificates';
import { type CollectorEnd, SyslogCollector } from '../../../test/support/syslog-collector';
import { withUnverifiedTls } from '../../../test/support/unverified-tls';
import type { AuditEventEntity } from '../audit-event.entity';
import { SyslogSink } from './syslog-sink';

const VERSIONS: SecureVersion[] = ['TLSv1.2', 'TLSv1.3'];

/** A collector that is killed once it has read everything, and before it stores anything. */
const KILLED_COLLECTOR = `
  const { key, cert, maxVersion } = JSON.parse(process.env.COLLECTOR);
  const server = require('node:tls').createServer({ key, cert, maxVersion, allowHalfOpen: true }, (socket) => {
    socket.resume().on('end', () => process.kill(process.pid, 'SIGKILL'));
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

describe('SyslogSink', () => {
  let authority: CertificateAuthority;
  let certificate: Certificate;
  let collector: SyslogCollector | undefined;
  let child: ChildProcess | undefined;

  beforeAll(() => {
    authority = new CertificateAuthority();
    certificate = authority.issue('localhost');
  });

  afterAll(() => {
    authority.remove();
  });

  afterEach(async () => {
    await collector?.close();
    child?.kill('SIGKILL');
    collector = child = undefined;
  });

  const eventsOf = (count: number, detail = ''): AuditEventEntity[] =>
    Array.from(
      { length: count },
      (_, i) =>
        ({ at: new Date(), chain: 1, sequence: i + 1, changes: { detail } }) as unknown as AuditEventEntity,
    );

  const write = (port: number, events: AuditEventEntity[], host = 'localhost'): Promise<void> =>
    new SyslogSink({ host, port, ca: authority.own.cert }).write(events, AbortSignal.timeout(20_000));

  it.each(VERSIONS)('delivers events to a collector that closes with close_notify (%s)', async (version) => {
    collector = await SyslogCollector.start(certificate, version);
    await write(collector.port, eventsOf(500));
    expect(collector.messages).toHaveLength(500);
  });

  it.each(
    VERSIONS.flatMap((version) =>
      (['fin', 'reset'] satisfies CollectorEnd[]).map((end): [CollectorEnd, SecureVersion] => [end, version]),
    ),
  )('does not take a plain %s for an acknowledgement (%s)', async (end, version) => {
    collector = await SyslogCollector.start(certificate, version);
    collector.endsWith = end;
    await expect(write(collector.port, eventsOf(500))).rejects.toThrow();
    expect(collector.bytesRead).toBeGreaterThan(0);
    expect(collector.messages).toEqual([]);
  });

  it.each(VERSIONS)(
    'does not take the end of a killed collector for an acknowledgement (%s)',
    async (maxVersion) => {
      child = spawn(process.execPath, ['-e', KILLED_COLLECTOR], {
        env: { COLLECTOR: JSON.stringify({ ...certificate, maxVersion }) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(child.stdout!, 'data')) as [Buffer];
      const exit = once(child, 'exit');
      await expect(write(Number(line.toString()), eventsOf(500))).rejects.toThrow();
      expect(await exit).toEqual([null, 'SIGKILL']);
    },
  );

  it('does not take a close_notify for an acknowledgement that precedes the last of the events', async () => {
    const stopping = createServer(certificate, (socket) =>
      socket
        .on('error', () => undefined)
        .pause()
        .end(),
    );
    stopping.listen(0, '127.0.0.1');
    await once(stopping, 'listening');
    const { port } = stopping.address() as AddressInfo;
    // More than the buffers of both sockets hold.
    await expect(write(port, eventsOf(64, 'x'.repeat(1 << 20)))).rejects.toThrow(
      'before it had read everything',
    );
    stopping.close();
  });

  it.each(VERSIONS)('does not take a fatal alert for an acknowledgement (%s)', async (maxVersion) => {
    const demanding = createServer({ ...certificate, maxVersion, requestCert: true });
    demanding.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
    await once(demanding, 'listening');
    await expect(write((demanding.address() as AddressInfo).port, eventsOf(1))).rejects.toThrow();
    demanding.close();
  });

  it('verifies the certificate whatever the environment says', async () => {
    const { port } = (collector = await SyslogCollector.start(certificate));
    const untrusted = new SyslogSink({ host: 'localhost', port });
    await withUnverifiedTls(async () => {
      await expect(write(port, eventsOf(1), '127.0.0.1')).rejects.toMatchObject({
        code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      });
      await expect(untrusted.write(eventsOf(1), AbortSignal.timeout(20_000))).rejects.toMatchObject({
        code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      });
    });
    expect(collector.bytesRead).toBe(0);
  });

  it('reports a collector that cannot be reached', async () => {
    const gone = await SyslogCollector.start(certificate);
    const { port } = gone;
    await gone.close();
    await expect(write(port, eventsOf(1), '127.0.0.1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each([
    ['read', true],
    ['shake hands', false],
  ])('stops at the signal if a collector does not %s', async (_what, speaksTls) => {
    const silent = speaksTls ? createServer(certificate) : createTcpServer();
    const accepted = once(silent, speaksTls ? 'secureConnection' : 'connection') as Promise<[Socket]>;
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const stop = new AbortController();
    const sink = new SyslogSink({ host: 'localhost', port, ca: authority.own.cert });
    const written = expect(sink.write(eventsOf(1), stop.signal)).rejects.toThrow('took too long');
    const [socket] = await accepted;
    stop.abort();
    await written;
    await once(socket.on('error', () => undefined).resume(), 'close');
    silent.close();
  });
});
