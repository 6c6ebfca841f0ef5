import type { ApiPropertyOptions } from '@nestjs/swagger';
import { invalidRequest } from '../../../common/errors/domain-error';
import { parseBigInteger } from '../../../common/validation/big-integer';
import { isObject, unknownFieldFaults } from '../../../common/validation/json-object';
import { ADDRESS_PATTERN, checksummed } from '../address';
import { HEX_QUANTITY, readQuantity } from '../quantity';
import type { RlpItem } from '../rlp';

type SchemaObject = NonNullable<Extract<ApiPropertyOptions, { oneOf?: unknown }>['oneOf']>[number];

/** One member of a transaction: how it is parsed from JSON, and its form in RLP. */
export interface Member<T> {
  /** @throws DomainError `invalid_request`, naming `path` and the rule */
  read: (value: unknown, path: string) => T;
  /** The JSON form of an RLP item; if the item has the wrong shape, a value that `read` refuses. */
  fromRlp: (item: RlpItem) => unknown;
  /** The JSON form in the OpenAPI document. */
  schema: SchemaObject;
  /** The default if the member is omitted; without one, the member is required. */
  fallback?: T;
}

export type Members = Record<string, Member<unknown>>;

/** The parsed form of an object with these members, in the same order. */
export type Read<M extends Members> = { [K in keyof M]: M[K] extends Member<infer T> ? T : never };

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const WORD = /^0x[0-9a-fA-F]{64}$/;
const ADDRESS_RULE = 'must be an address: 0x and 40 hex digits, with a valid checksum if the case is mixed';

/** Parses a JSON integer, a decimal string, or `0x` and up to 64 hex digits; undefined for anything else. */
export function parseInteger(value: unknown): bigint | undefined {
  return readQuantity(value) ?? parseBigInteger(value);
}

/** An integer from 0 to `max`, in any form that {@link parseInteger} reads. */
export function quantity(max: bigint): Member<bigint> {
  return {
    read: (value, path) => {
      const integer = parseInteger(value);
      if (integer !== undefined && integer <= max) return integer;
      throw invalidRequest(
        `${path} must be an integer from 0 to ${max} (JSON integer, decimal string, or 0x and hex digits)`,
      );
    },
    fromRlp: integerFromRlp,
    schema: {
      description: `From 0 to ${max}.`,
      oneOf: [
        { type: 'integer', minimum: 0, maximum: Number(max < MAX_SAFE ? max : MAX_SAFE) },
        { type: 'string', pattern: '^(0|[1-9][0-9]*|0x[0-9a-fA-F]{1,64})$' },
      ],
    },
  };
}

/**
 * `r` or `s` of an ECDSA signature: `0x` and hex digits, from 1 to `max`. @param rule describes the range in error
 * messages
 */
export function signaturePart(max: bigint, rule: string): Member<bigint> {
  return {
    read: (value, path) => {
      const integer = readQuantity(value);
      if (integer !== undefined && integer > 0n && integer <= max) return integer;
      throw invalidRequest(`${path} must be 0x and up to 64 hex digits, ${rule}`);
    },
    fromRlp: integerFromRlp,
    schema: { type: 'string', pattern: HEX_QUANTITY.source, description: `An integer ${rule}.` },
  };
}

/** An address, normalized to its checksummed form (EIP-55). */
export const address: Member<string> = {
  read: (value, path) => {
    const known = checksummed(value);
    if (known === undefined) throw invalidRequest(`${path} ${ADDRESS_RULE}`);
    return known;
  },
  fromRlp: hexFromRlp,
  schema: { type: 'string', pattern: ADDRESS_PATTERN },
};

/** The recipient: an address, or null to create a contract. */
export const receiver: Member<string | null> = {
  read: (value, path) => {
    const known = value === null ? null : checksummed(value);
    if (known === undefined) throw invalidRequest(`${path} ${ADDRESS_RULE}; or null to create a contract`);
    return known;
  },
  fromRlp: (item) => (Buffer.isBuffer(item) && item.length === 0 ? null : (hexFromRlp(item) ?? [])),
  schema: {
    type: 'string',
    nullable: true,
    pattern: ADDRESS_PATTERN,
    description: 'Null creates a contract.',
  },
};

/** `0x` and an even number of hex digits. */
export function bytes(maxBytes: number): Member<Buffer> {
  return {
    read: (value, path) => {
      const isHex =
        typeof value === 'string' &&
        value.length % 2 === 0 &&
        value.length <= 2 + 2 * maxBytes &&
        /^0x[0-9a-fA-F]*$/.test(value);
      if (isHex) return Buffer.from(value.slice(2), 'hex');
      throw invalidRequest(
        `${path} must be 0x and an even number of hex digits, for at most ${maxBytes} bytes`,
      );
    },
    fromRlp: hexFromRlp,
    schema: { type: 'string', pattern: '^0x([0-9a-fA-F]{2})*$', maxLength: 2 + 2 * maxBytes },
  };
}

/** 32 bytes: `0x` and 64 hex digits. */
export const word: Member<Buffer> = {
  read: (value, path) => {
    if (typeof value === 'string' && WORD.test(value)) return Buffer.from(value.slice(2), 'hex');
    throw invalidRequest(`${path} must be 0x and 64 hex digits`);
  },
  fromRlp: hexFromRlp,
  schema: { type: 'string', pattern: WORD.source },
};

/** An array of at most `maxItems`. */
export function list<T>(item: Member<T>, maxItems: number): Member<T[]> {
  return {
    read: (value, path) => {
      if (!Array.isArray(value) || value.length > maxItems)
        throw invalidRequest(`${path} must be an array of at most ${maxItems} items`);
      return value.map((each: unknown, i) => item.read(each, `${path}[${i}]`));
    },
    fromRlp: (items) => (Buffer.isBuffer(items) ? null : items.map(item.fromRlp)),
    schema: { type: 'array', maxItems, items: item.schema },
  };
}

/**
 * An object with exactly these members; in RLP, a list in the same order. @param title its name in the OpenAPI document
 */
export function object<M extends Members>(
  members: M,
  title?: string,
): Member<Read<M>> & { names: readonly string[] } {
  const entries = Object.entries(members);
  return {
    names: Object.keys(members),
    read: (value, path) => {
      if (!isObject(value)) throw invalidRequest(`${path} must be an object`);
      refuseMisfits(value, members, path);
      return Object.fromEntries(
        entries.map(([name, { read, fallback }]) => [
          name,
          value[name] === undefined ? fallback : read(value[name], `${path}.${name}`),
        ]),
      ) as Read<M>;
    },
    fromRlp: (items) =>
      Buffer.isBuffer(items) || items.length !== entries.length
        ? null
        : Object.fromEntries(entries.map(([name, { fromRlp }], i) => [name, fromRlp(items[i] ?? [])])),
    schema: {
      ...(title !== undefined && { title }),
      type: 'object',
      additionalProperties: false,
      required: entries.filter(([, { fallback }]) => fallback === undefined).map(([name]) => name),
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    },
  };
}

export function optional<T>(member: Member<T>, fallback: T): Member<T> {
  return { ...member, fallback };
}

function refuseMisfits(given: Record<string, unknown>, members: Members, path: string): void {
  const misfits = [
    ...Object.keys(members)
      .filter((name) => given[name] === undefined && members[name]?.fallback === undefined)
      .map((name) => `${path}.${name} is required`),
    ...unknownFieldFaults(
      Object.keys(given).filter((name) => !Object.hasOwn(members, name)),
      `${path}.`,
    ),
  ];
  if (misfits.length > 0) throw invalidRequest(misfits.join('; '));
}

function hexFromRlp(item: RlpItem): string | null {
  return Buffer.isBuffer(item) ? `0x${item.toString('hex')}` : null;
}

function integerFromRlp(item: RlpItem): string | null {
  return Buffer.isBuffer(item) && item.length === 0 ? '0x0' : hexFromRlp(item);
}
