import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { SecureVersion } from 'node:tls';
import { CertificateAuthority, type Certificate } from '../../../test/support/certificates';
import { type CollectorEnd, SyslogCollector } from '../../../test/support/syslog-collector';
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
      (_, i) => ({ at: new Date(), chain: 1, sequence: i + 1, changes: { detail } }) as unknown as AuditEventEntity,
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

  it.each(VERSIONS)('does not take the end of a killed collector for an acknowledgement (%s)', async (maxVersion) => {
    child = spawn(process.execPath, ['-e', KILLED_COLLECTOR], {
      env: { COLLECTOR: JSON.stringify({ ...certificate, maxVersion }) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    const exit = once(child, 'exit');
    await expect(write(Number(line.toString()), eventsOf(500))).rejects.toThrow();
    expect(await exit).toEqual([null, 'SIGKILL']);
  });
});
