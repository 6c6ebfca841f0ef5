import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditLog } from '../../src/audit/audit-log';
import { FileSink } from '../../src/audit/export/file-sink';
import { CertificateAuthority } from '../support/certificates';
import { describeService } from '../support/describe-service';
import { collectGarbage } from '../support/garbage';
import { until } from '../support/private-servers';
import { SyslogCollector } from '../support/syslog-collector';

interface Line {
  id: string;
  relayer_id: string | null;
  chain: number;
  sequence: number;
}

describeService('Audit sinks', { startFor: 'none' }, ({ service, database }) => {
  let folder: string;
  let key: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'audit-sink-'));
    key = Buffer.alloc(32, 7).toString('base64').replace(/^BwcH/, 'QUJD');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (sink: string, more: Record<string, string> = {}): Promise<void> =>
    service.start(database, { STORAGE_ENCRYPTION_KEY: key, AUDIT_SINK: sink, ...more });

  const record = async (...ids: string[]): Promise<void> => {
    for (const relayerId of ids)
      await service.app.get(AuditLog).record({ action: 'relayer.update', relayerId });
  };

  /** The places of all events in the database, sorted. */
  const recorded = async (): Promise<string[]> => {
    const { text } = await service.get('/api/v1/audit-events/export');
    return placesOf(text.trimEnd().split('\n'));
  };

  const placesOf = (lines: readonly string[]): string[] =>
    lines.map((line) => (JSON.parse(line) as Line).id).sort();

  /** Expects the rows of each chain in order. */
  const expectInOrder = (lines: readonly string[]): void => {
    const last = new Map<number, number>();
    for (const { chain, sequence } of lines.map((line) => JSON.parse(line) as Line)) {
      expect(sequence).toBe((last.get(chain) ?? 0) + 1);
      last.set(chain, sequence);
    }
  };

  const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1);

  it('append to a file that may be renamed at any time', async () => {
    const path = join(folder, 'audit.ndjson');
    await start(`file:${path}`);
    await record('a', 'b');
    await until('the file', async () => linesOf(path).length === (await recorded()).length);
    expectInOrder(linesOf(path));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    renameSync(path, `${path}.1`);
    await record('c');
    await until('the new file', () => {
      try {
        return linesOf(path).length === 1;
      } catch {
        return false;
      }
    });
    const lines = [...linesOf(`${path}.1`), ...linesOf(path)];
    expect(placesOf(lines)).toEqual(await recorded());
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      action: 'relayer.update',
      relayer_id: 'c',
      hash: expect.any(String),
    });
    await service.close();
  });

  it('start a new line after an incomplete one', async () => {
    const path = join(folder, 'audit.ndjson');
    writeFileSync(path, '{"id":"1-1","a');
    await start(`file:${path}`);
    await until('the file', async () => linesOf(path).length === (await recorded()).length + 1);
    expect(placesOf(linesOf(path).slice(1))).toEqual(await recorded());
    await service.close();
  });

  it('receive missed events after a restart', async () => {
    const path = join(folder, 'audit.ndjson');
    await start('syslog+tls://127.0.0.1:9');
    await record('a', 'b');
    await service.close();
    await start(`file:${path}`);
    await record('c');
    await until('the file', async () => linesOf(path).length >= (await recorded()).length);
    expect(placesOf(linesOf(path))).toEqual(await recorded());
    await service.close();
  });

  it('receive large events a few at a time', async () => {
    const path = join(folder, 'audit.ndjson');
    await start('syslog+tls://127.0.0.1:9');
    const changes = { policies: { before: null, after: 'a'.repeat(1024 * 1024) } };
    for (let i = 0; i < 10; i += 1)
      await service.app.get(AuditLog).record({ action: 'relayer.update', changes });
    await service.close();
    const write = jest.spyOn(FileSink.prototype, 'write');
    await start(`file:${path}`);
    await until('the file', async () => linesOf(path).length >= (await recorded()).length);
    expect(placesOf(linesOf(path))).toEqual(await recorded());
    expectInOrder(linesOf(path));
    for (const [events] of write.mock.calls)
      expect(events.filter((event) => event.changes?.policies !== undefined).length).toBeLessThanOrEqual(8);
    write.mockRestore();
    await service.close();
  });

  it('prevent the start if a file cannot be opened', async () => {
    await expect(start(`file:${join(folder, 'none', 'audit.ndjson')}`)).rejects.toThrow(
      'AUDIT_SINK names a file that cannot be opened: ENOENT',
    );
    await expect(
      start('syslog+tls://127.0.0.1:9', { AUDIT_SINK_CA_FILE: join(folder, 'none') }),
    ).rejects.toThrow('AUDIT_SINK_CA_FILE names a file that cannot be opened: ENOENT');
  });

  describe('using syslog over TLS', () => {
    let authority: CertificateAuthority;
    let collector: SyslogCollector;

    beforeEach(async () => {
      authority = new CertificateAuthority();
      collector = await SyslogCollector.start(authority.issue('localhost'));
      writeFileSync(join(folder, 'ca.pem'), authority.own.cert);
    });

    afterEach(async () => {
      await collector.close();
      authority.remove();
    });

    const startSyslog = (): Promise<void> =>
      start(`syslog+tls://localhost:${collector.port}`, { AUDIT_SINK_CA_FILE: join(folder, 'ca.pem') });

    it('receive RFC 5424 messages in length-prefixed frames', async () => {
      await startSyslog();
      await record('a', 'é');
      await until('the collector', async () => collector.messages.length >= (await recorded()).length);
      const lines = collector.messages.map((message) => {
        const [, content] =
          /^<110>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \S+ relayer-service - AUDIT - (\{.*\})$/.exec(
            message,
          ) ?? [];
        return content ?? '';
      });
      expect(placesOf(lines)).toEqual(await recorded());
      await service.close();
    });

    it('that hang do not slow down recording, and receive all events later', async () => {
      collector.hangs = true;
      await startSyslog();
      const began = performance.now();
      for (let round = 0; round < 20; round += 1)
        await Promise.all(Array.from({ length: 50 }, (_, i) => record(`r${i}`)));
      expect(performance.now() - began).toBeLessThan(9000);
      await until('the time-out and the lag', async () => {
        // In Node 20 garbage collection loses a time-out that only a combined signal references.
        collectGarbage();
        const { text } = await service.call({ path: '/debug/metrics/scrape' });
        const failures = Number(/^audit_export_failures_total (\d+)$/m.exec(text)?.[1]);
        return failures > 0 && Number(/^audit_export_lag_seconds (\S+)$/m.exec(text)?.[1]) > 5;
      });
      collector.hangs = false;
      const places = await recorded();
      await until('the collector', () => new Set(collector.messages).size >= places.length);
      await service.close();
    });

    it('that end without close_notify receive the events again', async () => {
      collector.endsWith = 'fin';
      await startSyslog();
      await record('a');
      await until('the failure', () => service.logs.some((line) => line.includes('without close_notify')));
      expect(collector.bytesRead).toBeGreaterThan(0);
      collector.endsWith = 'close_notify';
      const places = await recorded();
      await until('the collector', () => new Set(collector.messages).size >= places.length);
      await service.close();
    });

    it('are not trusted with a certificate from another authority', async () => {
      await start(`syslog+tls://localhost:${collector.port}`);
      await record('a');
      await until('the failure', () =>
        service.logs.some((line) => line.includes('The audit sink did not accept events')),
      );
      expect(collector.messages).toEqual([]);
      await service.close();
    });
  });
});
