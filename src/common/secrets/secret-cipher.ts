import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { Secret } from './secret';

const ALGORITHM = 'aes-256-gcm';
const FORMAT = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_VERSION_LENGTH = 12;

/** The length of `v1.<key version>.`, with which every record begins. */
export const RECORD_PREFIX_LENGTH = FORMAT.length + KEY_VERSION_LENGTH + 2;

/**
 * A column of sealed records, by its names in the database; rows have an `id`. Its module exports it beside the
 * entity, and `app.sealed-columns.ts` lists it: what is not listed there would be left behind by a change of the key.
 */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
}

/** Where a secret lives. It is authenticated with the ciphertext, so a value copied to another row or column does not decrypt. */
export interface SecretPlace extends SealedColumn {
  readonly row: string;
}

interface StorageKey {
  bytes: Buffer;
  version: string;
}

/** A stored secret that no configured storage key opens: another key, another place, or damaged bytes. */
export class SecretUnreadableError extends Error {
  constructor(readonly place: SecretPlace) {
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
 * storage key, so that a record tells which key opens it. The first key of the list seals, each opens its own.
 */
export class SecretCipher {
  readonly #newest: StorageKey;
  readonly #keys: ReadonlyMap<string, StorageKey>;
  /** How the records of each key begin, all {@link RECORD_PREFIX_LENGTH} long; the first is that of new records. */
  readonly recordPrefixes: readonly [string, ...string[]];

  /**
   * @param storageKeys each the base64 of 32 bytes; the first one seals
   * @param columns the only ones that are sealed into
   */
  constructor(
    storageKeys: readonly Secret[],
    readonly columns: readonly SealedColumn[],
  ) {
    const [newest, ...older] = storageKeys.map(readKey);
    if (!newest) throw new Error('There is no storage key');
    this.#newest = newest;
    this.#keys = new Map([newest, ...older].map((key) => [key.version, key]));
    this.recordPrefixes = [
      recordPrefix(newest.version),
      ...older.map(({ version }) => recordPrefix(version)),
    ];
  }

  /** @throws Error for a column that was not declared, since a change of the key would not reach it */
  seal(secret: Secret, place: SecretPlace): string {
    if (!this.columns.some(({ table, column }) => table === place.table && column === place.column)) {
      throw new Error(`${place.table}.${place.column} is missing in app.sealed-columns.ts`);
    }
    const { bytes, version } = this.#newest;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, bytes, nonce).setAAD(associatedData(place, version));
    const sealed = Buffer.concat([
      nonce,
      secret.use((bytes) => cipher.update(bytes)),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return `${recordPrefix(version)}${sealed.toString('base64')}`;
  }

  /** @throws SecretUnreadableError when the record does not open with the key that it names, at this place */
  open(record: string, place: SecretPlace): Secret {
    const [format, keyVersion = '', body, ...rest] = record.split('.');
    const key = this.#keys.get(keyVersion);
    if (format !== FORMAT || key === undefined || body === undefined || rest.length > 0) {
      throw new SecretUnreadableError(place);
    }
    const sealed = Buffer.from(body, 'base64');
    // Base64 has many spellings of the same bytes; only the one that was written is the record.
    const altered = sealed.toString('base64') !== body;
    if (altered || sealed.length < NONCE_BYTES + TAG_BYTES) throw new SecretUnreadableError(place);
    const decipher = createDecipheriv(ALGORITHM, key.bytes, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(associatedData(place, keyVersion))
      .setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    const text = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
    try {
      // Says whether the tag fits; GCM leaves no bytes to its end.
      decipher.final();
    } catch {
      text.fill(0);
      throw new SecretUnreadableError(place);
    }
    return new Secret(text);
  }
}

function readKey(text: Secret): StorageKey {
  const bytes = Buffer.from(text.reveal(), 'base64');
  if (bytes.length !== 32) throw new Error('A storage key must be 32 bytes');
  const fingerprint = createHmac('sha256', bytes).update('storage key version').digest('hex');
  return { bytes, version: fingerprint.slice(0, KEY_VERSION_LENGTH) };
}

function recordPrefix(keyVersion: string): string {
  return `${FORMAT}.${keyVersion}.`;
}

function associatedData(place: SecretPlace, keyVersion: string): Buffer {
  return Buffer.from([FORMAT, keyVersion, place.table, place.column, place.row].join('\n'), 'utf8');
}
