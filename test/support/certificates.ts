import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  key: string;
  cert: string;
}

/** A private certificate authority that exists as long as a test. */
export class CertificateAuthority {
  private readonly folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  private made = 0;
  readonly own: Certificate;

  constructor() {
    this.own = this.selfSigned('authority.test');
  }

  selfSigned(name: string): Certificate {
    const at = this.next();
    this.openssl('req', '-x509', ...NEW_KEY, '-keyout', `${at}.key`, '-out', `${at}.pem`, ...subject(name));
    return this.read(at);
  }

  /** @param days the validity period; negative for an expired certificate */
  issue(name: string, days = 2): Certificate {
    const at = this.next();
    this.openssl('req', ...NEW_KEY, '-keyout', `${at}.key`, '-out', `${at}.csr`, ...subject(name));
    const authority = ['-CA', '1.pem', '-CAkey', '1.key', '-CAcreateserial', '-copy_extensions', 'copy'];
    this.openssl(
      'x509',
      '-req',
      '-in',
      `${at}.csr`,
      '-out',
      `${at}.pem`,
      '-days',
      String(days),
      ...authority,
    );
    return this.read(at);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  private next(): number {
    this.made += 1;
    return this.made;
  }

  private openssl(...args: string[]): void {
    execFileSync('openssl', args, { cwd: this.folder, stdio: 'ignore', timeout: 20_000 });
  }

  private read(at: number): Certificate {
    const text = (file: string) => readFileSync(join(this.folder, file), 'utf8');
    return { key: text(`${at}.key`), cert: text(`${at}.pem`) };
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

function subject(name: string): string[] {
  return ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
}
