import { parseSignedInteger } from '../../common/validation/big-integer';
import type { FieldConstraint, FieldRange, FieldValue } from '../../relayers/policies/field-constraints';
import type { HashedTypedData } from '../../chains/evm/typed-data/typed-data';

type Comparable = string | boolean | bigint;

interface Field {
  type: string;
  value: Comparable;
}

/**
 * The members of a message that can be constrained: those of the primary type itself that are neither structs nor
 * arrays. Policies and messages can both be large, so each member is converted to its comparable form only once.
 */
export class MessageFields {
  private types: ReadonlyMap<string, string> | undefined;
  private readonly known = new Map<string, Field | undefined>();

  constructor(private readonly data: Pick<HashedTypedData, 'members' | 'message'>) {}

  /** The first constraint that the message violates; undefined if it satisfies all. */
  firstUnmet(constraints: Readonly<Record<string, FieldConstraint>>): string | undefined {
    return Object.entries(constraints).find(([name, constraint]) => !this.meets(name, constraint))?.[0];
  }

  private meets(name: string, constraint: FieldConstraint): boolean {
    const field = this.find(name);
    if (!field) return false;
    if (Array.isArray(constraint)) return constraint.some((value) => isSame(field, value));
    return typeof constraint === 'object' ? isWithin(field, constraint) : isSame(field, constraint);
  }

  private find(name: string): Field | undefined {
    if (!this.known.has(name)) this.known.set(name, this.read(name));
    return this.known.get(name);
  }

  private read(name: string): Field | undefined {
    this.types ??= atomicTypes(this.data);
    const type = this.types.get(name);
    if (type === undefined) return undefined;
    const value = comparable(type, this.data.message[name]);
    return value === undefined ? undefined : { type, value };
  }
}

function atomicTypes({ members }: Pick<HashedTypedData, 'members'>): ReadonlyMap<string, string> {
  return new Map(
    members.flatMap(({ name, type }): [string, string][] =>
      type.kind === 'atomic' ? [[name, type.name]] : [],
    ),
  );
}

const isSame = ({ type, value }: Field, wanted: FieldValue): boolean => comparable(type, wanted) === value;

function isWithin({ value }: Field, { min, max }: FieldRange): boolean {
  return (
    typeof value === 'bigint' &&
    (min === undefined || value >= BigInt(min)) &&
    (max === undefined || value <= BigInt(max))
  );
}

/** Addresses and bytes are compared case-insensitively, integers by value, strings exactly. */
function comparable(type: string, value: unknown): Comparable | undefined {
  if (type === 'string') return typeof value === 'string' ? value : undefined;
  if (type === 'bool') return typeof value === 'boolean' ? value : undefined;
  if (type === 'address' || type.startsWith('bytes'))
    return typeof value === 'string' ? value.toLowerCase() : undefined;
  return parseSignedInteger(value);
}
