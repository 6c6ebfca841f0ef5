import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../../test/support/certificates';
import { faultsOf, KEYS, configOf } from '../../test/support/environments';
import { certificatesFile } from './certificates-file';

describe('A file of certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relayer-certificates-'));
  const path = join(folder, 'ca.pem');
  let certificates: string[];

  beforeAll(() => {
    const authority = new CertificateAuthority();
    certificates = [authority.own.cert, authority.selfSigned('other.test').cert].map((cert) => cert.trim());
    authority.remove();
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const parse = (text: string): string => {
    writeFileSync(path, text);
    return certificatesFile.parse(path);
  };

  it('has one or more, between any comments', () => {
    const [first = '', second = ''] = certificates;
    expect(parse(first)).toBe(first);
    expect(parse(`# one\n${first}\n# two\n${second}\n`)).toBe(`${first}\n${second}`);
  });

  it.each([
    ['nothing', () => ''],
    ['no certificate', () => 'certificate'],
    ['a damaged one', () => certificates.join('\n').replace('MII', 'MIX')],
  ])('is refused if it contains %s', (_, text) => {
    expect(() => parse(text())).toThrow(new Error('must name a file of certificates in PEM'));
  });

  it('is refused if it cannot be read', () => {
    expect(() => certificatesFile.parse(join(folder, 'none'))).toThrow(
      'names a file that cannot be opened: ENOENT',
    );
  });

  it('is required to verify only the authority of a database, and needs TLS', () => {
    const [cert = ''] = certificates;
    writeFileSync(path, cert);
    const server = 'mysql://app:pw@db/relayers';
    const given = { ...KEYS, DATABASE_CA_FILE: path };
    expect(faultsOf({ ...KEYS, DATABASE_URL: `${server}?tls=verify-ca` })).toEqual([
      'DATABASE_URL with ?tls=verify-ca needs DATABASE_CA_FILE',
    ]);
    for (const url of [server, `${server}?tls=false`, 'sqlite:relayer.sqlite'])
      expect(faultsOf({ ...given, DATABASE_URL: url })).toEqual([
        'DATABASE_CA_FILE needs a DATABASE_URL with ?tls=true or ?tls=verify-ca',
      ]);
    expect(faultsOf({ ...given, DATABASE_URL: 'mysql://app:pw@192.0.2.7/relayers?tls=true' })).toEqual([
      expect.stringMatching(/^DATABASE_URL must have the name of the host/),
    ]);
    for (const sink of [undefined, 'https://audit.example.com/', 'file:/var/log/audit.ndjson'])
      expect(faultsOf({ ...KEYS, AUDIT_SINK: sink, AUDIT_SINK_CA_FILE: path })).toEqual([
        'AUDIT_SINK_CA_FILE needs an AUDIT_SINK with syslog+tls: other sinks do not use it',
      ]);
    for (const tls of ['true', 'verify-ca'])
      expect(configOf({ ...given, DATABASE_URL: `${server}?tls=${tls}` }).database).toMatchObject({
        ca: cert,
      });
  });
});
