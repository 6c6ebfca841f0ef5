import { invalidRequest } from '../../../common/errors/domain-error';
import { getOrCreate } from '../../../common/get-or-create';
import { atomicFault, describeAtomic, encodeAtomic } from './atomic-value';
import { keccak256Hex } from '../keccak256';
import { isObject, shown } from '../../../common/validation/json-object';
import type { MemberType } from './member-type';
import type { StructType, StructTypes } from './struct-types';
import { Words } from './words';

/** Values between two pauses. */
const VALUES_PER_STEP = 32;

/**
 * hashStruct of EIP-712 over a message whose types have been checked. Each value is checked as it is hashed. The event
 * loop may run after every 32 values: ethers would block it for a fifth of a second with a message of 10 000 values,
 * and for minutes with types that refer to each other.
 */
export class MessageHasher {
  private readonly typeHashes = new Map<string, string>();
  private values = 0;

  constructor(private readonly types: StructTypes) {}

  /**
   * @param value a value of the struct `name`, which is one of the types
   * @param path path of the value, for errors: `message.order.items[2]`
   * @returns 32 bytes as hex with `0x`
   * @throws DomainError `invalid_request`, naming the path and the rule
   */
  *hashStruct(name: string, value: unknown, path: string): Generator<void, string> {
    const struct = this.struct(name);
    if (!isObject(value)) throw invalidRequest(`${path} must be an object: a ${name}`);
    for (const key of Object.keys(value)) {
      if (!struct.memberNames.has(key))
        throw invalidRequest(`${path}.${shown(key)} is not a member of ${name}`);
    }
    const words = new Words(1 + struct.members.length);
    words.add(this.typeHash(struct));
    for (const member of struct.members) {
      const place = `${path}.${member.name}`;
      if (!Object.hasOwn(value, member.name))
        throw invalidRequest(`${place} is missing: ${describe(member.type)}`);
      words.add(yield* this.encode(member.type, value[member.name], place));
    }
    return words.hash();
  }

  private *encode(type: MemberType, value: unknown, path: string): Generator<void, string> {
    this.values += 1;
    if (this.values % VALUES_PER_STEP === 0) yield;
    switch (type.kind) {
      case 'struct':
        return yield* this.hashStruct(type.name, value, path);
      case 'array':
        return yield* this.hashArray(type, value, path);
      case 'atomic': {
        const word = encodeAtomic(type.name, value);
        if (word === undefined) throw invalidRequest(`${path} ${atomicFault(type.name, value)}`);
        return word;
      }
    }
  }

  private *hashArray(
    type: MemberType & { kind: 'array' },
    value: unknown,
    path: string,
  ): Generator<void, string> {
    if (!Array.isArray(value) || (type.length !== undefined && value.length !== type.length)) {
      throw invalidRequest(`${path} must be ${describe(type)}`);
    }
    const words = new Words(value.length);
    for (const [index, item] of value.entries()) {
      words.add(yield* this.encode(type.item, item, `${path}[${index}]`));
    }
    return words.hash();
  }

  private typeHash({ name, encoded }: StructType): string {
    return getOrCreate(this.typeHashes, name, () => keccak256Hex(Buffer.from(encoded)));
  }

  private struct(name: string): StructType {
    const struct = this.types.get(name);
    if (!struct) throw new Error('A type that was checked is not there');
    return struct;
  }
}

function describe(type: MemberType): string {
  switch (type.kind) {
    case 'atomic':
      return describeAtomic(type.name);
    case 'struct':
      return `an object: a ${type.name}`;
    case 'array':
      return type.length === undefined
        ? `an array: ${type.name}`
        : `an array of ${type.length} item(s): ${type.name}`;
  }
}
