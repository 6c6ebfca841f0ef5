import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../common/secrets/secret';
import { KEY_VERSION_LENGTH, readStorageKeys, type StorageKey } from './storage-key';

const FORMAT = 'm1';
const KEY_BYTES = 32;
const KEY_PURPOSE = 'row mac';

/** The length of `m1.<key version>.`, the prefix of every MAC. */
export const MAC_PREFIX_LENGTH = FORMAT.length + KEY_VERSION_LENGTH + 2;

/** The members of an entity that are columns: all but its relations, which are optional. */
type ColumnsOf<Entity> = {
  [Property in keyof Entity]-?: undefined extends Entity[Property] ? never : Property;
}[keyof Entity] &
  string;

/**
 * A table whose rows have a MAC in the column `mac`. Its module declares it beside the entity, and
 * `app/protected-tables.ts` lists it. Each column must be declared as one of the following, so that a forgotten column
 * does not compile:
 *
 * - `protected`: it decides what is signed, by whom, or where data is sent. Every write to it also updates the MAC;
 * - `unprotected`: the service writes it often, and altering it can at most delay or stop something.
 */
export interface ProtectedTable<Entity = never> {
  readonly table: string;
  /** By property name of the entity. */
  readonly columns: Readonly<
    Record<[Entity] extends [never] ? string : Exclude<ColumnsOf<Entity>, 'mac'>, 'protected' | 'unprotected'>
  >;
}

/** The result of checking a row; a row that is not `intact` must not be used. */
export type MacState = 'intact' | 'missing' | 'unknown_key' | 'mismatch';

/**
 * Computes and checks the MACs of rows: HMAC-SHA256 (RFC 2104) with a key for each table, derived from the storage key
 * by HKDF-SHA256 (RFC 5869).
 *
 * MAC: `m1.<key version>.<base64 of 32 bytes>`, with the key version of the storage key as in secret records. New MACs
 * are computed with the first key of the list; each existing one is checked with its own key.
 */
export class RowMacs {
  /** By key version and table. */
  readonly #keys: ReadonlyMap<string, ReadonlyMap<string, KeyObject>>;
  /** The prefix of MACs of the first key, of {@link MAC_PREFIX_LENGTH}. */
  readonly newestPrefix: string;
  readonly #newest: ReadonlyMap<string, KeyObject>;

  /**
   * @param storageKeys each 32 bytes in base64; new MACs are computed with the first
   * @param tables the only tables whose rows have MACs
   */
  constructor(
    storageKeys: readonly Secret[],
    readonly tables: readonly ProtectedTable[],
  ) {
    const [newest, ...older] = readStorageKeys(storageKeys);
    const keysOf = (key: StorageKey) =>
      new Map(tables.map(({ table }) => [table, deriveKey(key, table)] as const));
    this.#newest = keysOf(newest);
    this.#keys = new Map([
      [newest.version, this.#newest],
      ...older.map((key) => [key.version, keysOf(key)] as const),
    ]);
    this.newestPrefix = `${FORMAT}.${newest.version}.`;
  }

  /**
   * @param content everything that the MAC covers, in an unambiguous form
   * @throws Error for a table that was not declared
   */
  compute(table: string, content: string): string {
    const key = this.#newest.get(table);
    if (!key) throw new Error(`${table} is missing in app/protected-tables.ts`);
    return this.newestPrefix + digest(key, content);
  }

  check(table: string, content: string, mac: string | null): MacState {
    if (mac === null) return 'missing';
    const version = mac.slice(FORMAT.length + 1, MAC_PREFIX_LENGTH - 1);
    const key = this.#keys.get(version)?.get(table);
    if (!key) return /^m1\.[0-9a-f]{12}\./.test(mac) ? 'unknown_key' : 'mismatch';
    const expected = Buffer.from(`${FORMAT}.${version}.${digest(key, content)}`);
    const actual = Buffer.from(mac);
    return actual.length === expected.length && timingSafeEqual(actual, expected) ? 'intact' : 'mismatch';
  }
}

function digest(key: KeyObject, content: string): string {
  return createHmac('sha256', key).update(content, 'utf8').digest('base64');
}

function deriveKey(key: StorageKey, table: string): KeyObject {
  const derived = hkdfSync('sha256', key.bytes, Buffer.alloc(0), `${KEY_PURPOSE}\n${table}`, KEY_BYTES);
  return createSecretKey(Buffer.from(derived));
}
