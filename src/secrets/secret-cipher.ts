import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { canonicalJson } from './canonical-json';
import { Secret } from '../common/secrets/secret';
import { KEY_VERSION_LENGTH, readStorageKeys, type StorageKey } from './storage-key';

const ALGORITHM = 'aes-256-gcm';
/** The format of records that are bound to their location. */
const FORMAT = 'v1';
/** The format of records that are also bound to other columns of their row. */
const BOUND_FORMAT = 'v2';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The length of `v1.<key version>.` or `v2.<key version>.`, the prefix of every record. */
export const RECORD_PREFIX_LENGTH = FORMAT.length + KEY_VERSION_LENGTH + 2;

/**
 * A column of sealed records, by its database names; its rows have an `id`. Its module exports it beside the entity,
 * and `app/sealed-columns.ts` lists it: key rotation would miss an unlisted column.
 */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /**
   * Columns of the same row that determine how the secret is used. If one of them changes, the secret no longer
   * decrypts.
   */
  readonly boundTo?: readonly string[];
  /**
   * The form of values that date from before encryption. Such a value is accepted only from a row that is being
   * adopted.
   */
  readonly plainBefore?: RegExp;
}

/**
 * The location of a secret. It is authenticated with the ciphertext, so a value copied to another row or column does
 * not decrypt.
 */
export interface SecretPlace extends SealedColumn {
  readonly row: string;
  /** The values of the columns that the secret is bound to, see {@link secretPlace}. */
  readonly context?: string;
}

/**
 * The location of a secret, including the values of the columns that it is bound to.
 *
 * @param values the values of the row, by column name, with JSON parsed
 */
export function secretPlace(
  column: SealedColumn,
  row: string,
  values: Readonly<Record<string, unknown>>,
): SecretPlace {
  if (!column.boundTo) return { ...column, row };
  return { ...column, row, context: canonicalJson(column.boundTo.map((name) => values[name])) };
}

/** No configured storage key opens a stored secret: it has another key or location, or is damaged. */
export class SecretUnreadableError extends Error {
  constructor(readonly place: SecretPlace) {
    super(
      `The secret ${place.table}.${place.column} of row ${place.row} cannot be decrypted with the storage key`,
    );
    this.name = 'SecretUnreadableError';
  }
}

/** What `open` returns, or `fallback` if it fails because a secret cannot be decrypted. */
export function readableOr<T, F>(fallback: F, open: () => T): T | F {
  try {
    return open();
  } catch (error) {
    if (error instanceof SecretUnreadableError) return fallback;
    throw error;
  }
}

/**
 * Encrypts secrets at rest with AES-256-GCM (NIST SP 800-38D) and a fresh 96-bit nonce per record.
 *
 * Record: `v1.<key version>.<base64 of nonce ‖ ciphertext ‖ tag>`, or `v2.…` in columns that are bound to others. The
 * key version is a fingerprint of the storage key, so that a record identifies its key. New records are sealed with the
 * first key of the list; each record is opened with its own key.
 */
export class SecretCipher {
  readonly #newest: StorageKey;
  readonly #keys: ReadonlyMap<string, StorageKey>;
  /** The version of each key, that of new records first. @internal */
  readonly keyVersions: readonly [string, ...string[]];

  /**
   * @param storageKeys each 32 bytes in base64; the first one seals
   * @param columns the only columns that may be sealed
   * @internal
   */
  constructor(
    storageKeys: readonly Secret[],
    /** @internal */
    readonly columns: readonly SealedColumn[],
  ) {
    const [newest, ...older] = readStorageKeys(storageKeys);
    this.#newest = newest;
    this.#keys = new Map([newest, ...older].map((key) => [key.version, key]));
    this.keyVersions = [newest.version, ...older.map(({ version }) => version)];
  }

  /** The prefix of new records of a column, of {@link RECORD_PREFIX_LENGTH}. @internal */
  newestPrefix(column: SealedColumn): string {
    return recordPrefix(formatOf(column), this.#newest.version);
  }

  /** @throws Error if the column is not declared, because key rotation would miss it */
  seal(secret: Secret, place: SecretPlace): string {
    const declared = this.columns.find(
      ({ table, column }) => table === place.table && column === place.column,
    );
    if (!declared) throw new Error(`${place.table}.${place.column} is not declared as a sealed column`);
    const { bytes, version } = this.#newest;
    const format = formatOf(declared);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, bytes, nonce).setAAD(associatedData(format, place, version));
    const sealed = Buffer.concat([
      nonce,
      secret.use((bytes) => cipher.update(bytes)),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return `${recordPrefix(format, version)}${sealed.toString('base64')}`;
  }

  /** @throws SecretUnreadableError if the record cannot be decrypted with the key that it names, at this location */
  open(record: string, place: SecretPlace): Secret {
    return this.openAs(formatOf(place), record, place);
  }

  /**
   * Also opens records from before their column was bound to others. Only for resealing: elsewhere a record of the
   * older format would evade the binding.
   *
   * @throws SecretUnreadableError
   * @internal
   */
  openForResealing(record: string, place: SecretPlace): Secret {
    return this.openAs(record.startsWith(`${FORMAT}.`) ? FORMAT : formatOf(place), record, place);
  }

  private openAs(expected: string, record: string, place: SecretPlace): Secret {
    const [format, keyVersion = '', body, ...rest] = record.split('.');
    const key = this.#keys.get(keyVersion);
    if (format !== expected || key === undefined || body === undefined || rest.length > 0) {
      throw new SecretUnreadableError(place);
    }
    const sealed = Buffer.from(body, 'base64');
    // Several base64 texts decode to the same bytes; only the canonical one is accepted.
    const altered = sealed.toString('base64') !== body;
    if (altered || sealed.length < NONCE_BYTES + TAG_BYTES) throw new SecretUnreadableError(place);
    const decipher = createDecipheriv(ALGORITHM, key.bytes, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(associatedData(format, place, keyVersion))
      .setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    const text = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
    try {
      // Verifies the tag; GCM outputs no further bytes.
      decipher.final();
    } catch {
      text.fill(0);
      throw new SecretUnreadableError(place);
    }
    return new Secret(text);
  }
}

function formatOf({ boundTo }: SealedColumn): string {
  return boundTo ? BOUND_FORMAT : FORMAT;
}

function recordPrefix(format: string, keyVersion: string): string {
  return `${format}.${keyVersion}.`;
}

function associatedData(format: string, place: SecretPlace, keyVersion: string): Buffer {
  const { table, column, row, context } = place;
  if (format === BOUND_FORMAT && context === undefined) {
    throw new Error(`${table}.${column} is bound to other columns, whose values are missing`);
  }
  const parts = [format, keyVersion, table, column, row];
  return Buffer.from((format === BOUND_FORMAT ? [...parts, context] : parts).join('\n'), 'utf8');
}
