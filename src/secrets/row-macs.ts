import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../common/secrets/secret';
import { KEY_VERSION_LENGTH, readStorageKeys, type StorageKey } from './storage-key';

const KEY_BYTES = 32;
const KEY_PURPOSE = 'row mac';

/** `m1` does not cover the columns that are declared as `protected_since_m2`. */
export type MacFormat = 'm1' | 'm2';

const FORMAT_LENGTH = 2;

/** The length of `m1.<key version>.`, the prefix of every MAC. */
export const MAC_PREFIX_LENGTH = FORMAT_LENGTH + KEY_VERSION_LENGTH + 2;

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
 * - `protected_since_m2`: likewise, but earlier versions of the service did not cover it. Their MACs have the format `m1`,
 *   and remain valid until the row gets a new one;
 * - `unprotected`: the service writes it often, and altering it can at most delay or stop something.
 */
export interface ProtectedTable<Entity = never> {
  readonly table: string;
  /** By property name of the entity. */
  readonly columns: Readonly<
    Record<
      [Entity] extends [never] ? string : Exclude<ColumnsOf<Entity>, 'mac'>,
      'protected' | 'protected_since_m2' | 'unprotected'
    >
  >;
  /** Whether unprotected columns agree with the protected ones; a row in which they do not was altered. */
  readonly isConsistent?: (row: Entity) => boolean;
}

/** The format of the MACs that the rows of a table get. */
export const macFormatOf = ({ columns }: ProtectedTable): MacFormat =>
  Object.values(columns).includes('protected_since_m2') ? 'm2' : 'm1';

/** The version of the key that a MAC names. */
export const keyVersionOf = (mac: string): string => mac.slice(FORMAT_LENGTH + 1, MAC_PREFIX_LENGTH - 1);

/** Whether a row of any table is consistent; see {@link ProtectedTable.isConsistent}. */
export const isConsistent = (table: ProtectedTable, row: object): boolean =>
  table.isConsistent?.(row as never) ?? true;

/** The result of checking a row; a row that is not `intact` must not be used. */
export type MacState = 'intact' | 'missing' | 'unknown_key' | 'mismatch';

/**
 * Computes and checks the MACs of rows: HMAC-SHA256 (RFC 2104) with a key for each table, derived from the storage key
 * by HKDF-SHA256 (RFC 5869).
 *
 * MAC: `<format>.<key version>.<base64 of 32 bytes>`, with the key version of the storage key as in secret records. New
 * MACs are computed with the first key of the list; each existing one is checked with its own key.
 */
export class RowMacs {
  /** By key version and table. */
  readonly #keys: ReadonlyMap<string, ReadonlyMap<string, KeyObject>>;
  /** By table, the prefix of MACs of the first key. */
  readonly #prefixes: ReadonlyMap<string, string>;
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
    this.#prefixes = new Map(
      tables.map((declared) => [declared.table, `${macFormatOf(declared)}.${newest.version}.`]),
    );
  }

  /** The prefix of the MACs that rows of this table get, of {@link MAC_PREFIX_LENGTH}. */
  newestPrefixOf(table: string): string {
    const prefix = this.#prefixes.get(table);
    if (prefix === undefined) throw undeclared(table);
    return prefix;
  }

  /**
   * @param content everything that the MAC covers, in an unambiguous form
   * @throws Error for a table that was not declared
   */
  compute(table: string, content: string): string {
    const key = this.#newest.get(table);
    if (!key) throw undeclared(table);
    return this.newestPrefixOf(table) + digest(key, content);
  }

  /** @param content that of the format of the MAC */
  check(table: string, content: string, mac: string | null): MacState {
    if (mac === null) return 'missing';
    const format = mac.slice(0, FORMAT_LENGTH);
    const version = keyVersionOf(mac);
    if (format !== 'm1' && format !== this.#prefixes.get(table)?.slice(0, FORMAT_LENGTH)) return 'mismatch';
    const key = this.#keys.get(version)?.get(table);
    if (!key) return /^m[12]\.[0-9a-f]{12}\./.test(mac) ? 'unknown_key' : 'mismatch';
    const expected = Buffer.from(`${format}.${version}.${digest(key, content)}`);
    const actual = Buffer.from(mac);
    return actual.length === expected.length && timingSafeEqual(actual, expected) ? 'intact' : 'mismatch';
  }
}

const undeclared = (table: string): Error => new Error(`${table} is missing in app/protected-tables.ts`);

function digest(key: KeyObject, content: string): string {
  return createHmac('sha256', key).update(content, 'utf8').digest('base64');
}

function deriveKey(key: StorageKey, table: string): KeyObject {
  const derived = hkdfSync('sha256', key.bytes, Buffer.alloc(0), `${KEY_PURPOSE}\n${table}`, KEY_BYTES);
  return createSecretKey(Buffer.from(derived));
}
