import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { errorCodeOf } from '../common/errors/error-cause';
import type { Format } from './setting-formats';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** A file with certificates of authorities. Its value is their text, in PEM. */
export const certificatesFile: Format<string> = {
  accepts: 'a path',
  parse: (path) => {
    const certificates = readText(path).match(CERTIFICATE) ?? [];
    // Node ignores text that it cannot parse.
    if (certificates.length === 0 || !certificates.every(isCertificate))
      throw new Error('must name a file of certificates in PEM');
    return certificates.join('\n');
  },
};

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`names a file that cannot be opened: ${errorCodeOf(error)}`, { cause: error });
  }
}

function isCertificate(text: string): boolean {
  try {
    new X509Certificate(text);
    return true;
  } catch {
    return false;
  }
}
