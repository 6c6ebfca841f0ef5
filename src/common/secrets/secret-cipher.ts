import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { Secret } from './secret';

const ALGORITHM = 'aes-256-gcm';
const FORMAT = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Where a secret lives. It is authenticated with the ciphertext, so a value copied to another row or column does not decrypt. */
export interface SecretPlace {
  table: string;
  column: string;
  row: string;
}

/** A stored secret that no configured storage key opens: another key, another place, or damaged bytes. */
export class SecretUnreadableError extends Error {
  constructor(place: SecretPlace) {
    super(
      `The secret ${place.table}.${place.column} of row ${place.row} cannot be decrypted with the storage key`,
    );
    this.name = 'SecretUnreadableError';
  }
}

/**
 * Encrypts secrets at rest with AES-256-GCM (NIST SP 800-38D), a fresh 96-bit nonce per record.
 *
 * Record: `v1.<key version>.<base64 of nonce ‖ ciphertext ‖ tag>`. The key version is a fingerprint of the
 * storage key, so that a record tells which key opens it.
 */
export class SecretCipher {
  readonly #key: Buffer;
  readonly #keyVersion: string;

  /** @param storageKey base64 of 32 bytes */
  constructor(storageKey: Secret) {
    this.#key = Buffer.from(storageKey.reveal(), 'base64');
    if (this.#key.length !== 32) throw new Error('The storage key must be 32 bytes');
    this.#keyVersion = createHmac('sha256', this.#key)
      .update('storage key version')
      .digest('hex')
      .slice(0, 12);
  }

  seal(secret: Secret, place: SecretPlace): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(
      associatedData(place, this.#keyVersion),
    );
    const sealed = Buffer.concat([
      nonce,
      cipher.update(secret.reveal(), 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return `${FORMAT}.${this.#keyVersion}.${sealed.toString('base64')}`;
  }

  /** @throws SecretUnreadableError when the record does not open with this key at this place */
  open(record: string, place: SecretPlace): Secret {
    const [format, keyVersion, body, ...rest] = record.split('.');
    if (format !== FORMAT || keyVersion !== this.#keyVersion || body === undefined || rest.length > 0) {
      throw new SecretUnreadableError(place);
    }
    const sealed = Buffer.from(body, 'base64');
    // Base64 has many spellings of the same bytes; only the one that was written is the record.
    const altered = sealed.toString('base64') !== body;
    if (altered || sealed.length < NONCE_BYTES + TAG_BYTES) throw new SecretUnreadableError(place);
    const decipher = createDecipheriv(ALGORITHM, this.#key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(associatedData(place, keyVersion))
      .setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    try {
      const text = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
      return new Secret(Buffer.concat([text, decipher.final()]).toString('utf8'));
    } catch {
      throw new SecretUnreadableError(place);
    }
  }
}

function associatedData(place: SecretPlace, keyVersion: string): Buffer {
  return Buffer.from([FORMAT, keyVersion, place.table, place.column, place.row].join('\n'), 'utf8');
}
