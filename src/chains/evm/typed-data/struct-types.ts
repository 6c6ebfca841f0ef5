import { invalidRequest } from '../../../common/errors/domain-error';
import { MAX_BYTES, MAX_DEPTH } from './bounds';
import { isObject, shown } from '../../../common/validation/json-object';
import { baseOf, isName, looksAtomic, type MemberType, parseMemberType } from './member-type';

export interface Member {
  name: string;
  type: MemberType;
}

export interface StructType {
  name: string;
  members: Member[];
  /** The distinct member names of one struct. */
  memberNames: ReadonlySet<string>;
  /** encodeType of EIP-712: the struct itself, then every struct it refers to, sorted by name. */
  encoded: string;
}

export type StructTypes = ReadonlyMap<string, StructType>;

/** Structs between two pauses. */
const STRUCTS_PER_STEP = 128;

type Declarations = Map<string, Member[]>;

/**
 * The encoding of each struct without the structs it refers to (EIP-712, encodeType): `Mail(Person from,Person
 * to,string contents)`.
 */
type OwnEncodings = ReadonlyMap<string, string>;

/**
 * Parses `types` without `EIP712Domain`. Every type must be reachable from the primary type, and none may refer to
 * itself. The encodings must stay within a bound, because types that refer to each other repeat each other's text. Many
 * types are parsed in steps of a millisecond or two.
 *
 * @throws DomainError `invalid_request`, naming the place in `types`
 */
export function* parseStructTypes(types: unknown, primaryType: unknown): Generator<void, StructTypes> {
  if (!isObject(types))
    throw invalidRequest('types must be an object that maps names of structs to their members');
  const declarations: Declarations = new Map();
  const own = new Map<string, string>();
  for (const [index, [name, declared]] of Object.entries(types).entries()) {
    if (index % STRUCTS_PER_STEP === STRUCTS_PER_STEP - 1) yield;
    if (name === 'EIP712Domain') continue;
    const members = parseMembers(name, declared);
    declarations.set(name, members);
    own.set(name, encodeOwn(name, members));
  }
  if (typeof primaryType !== 'string' || !declarations.has(primaryType)) {
    throw invalidRequest('primaryType must be the name of one of types, other than EIP712Domain');
  }
  const references = referencesFrom(primaryType, declarations, own);
  if (references.size >= STRUCTS_PER_STEP) yield;
  return encodeTypes(declarations, own, references);
}

function parseMembers(struct: string, members: unknown): Member[] {
  const path = `types.${shown(struct)}`;
  if (!isName(struct) || looksAtomic(struct)) {
    throw invalidRequest(
      `${path} must be named by an identifier of at most 128 characters that is not an atomic type`,
    );
  }
  if (!Array.isArray(members)) throw invalidRequest(`${path} must be an array of {name, type}`);
  const names = new Set<string>();
  return members.map((member: unknown, index) => {
    const place = `${path}[${index}]`;
    if (!isObject(member) || Object.keys(member).some((key) => key !== 'name' && key !== 'type')) {
      throw invalidRequest(`${place} must be an object with name and type`);
    }
    const { name, type } = member;
    if (!isName(name)) throw invalidRequest(`${place}.name must be an identifier of at most 128 characters`);
    if (names.has(name)) throw invalidRequest(`${place}.name is given more than once in ${struct}`);
    names.add(name);
    return { name, type: parseMemberType(type, `${place}.type`) };
  });
}

/** For each struct, the structs it refers to, directly or indirectly. */
function referencesFrom(
  primaryType: string,
  declarations: Declarations,
  own: OwnEncodings,
): Map<string, Set<string>> {
  const references = new Map<string, Set<string>>();
  const heights = new Map<string, number>();
  const open = new Set<string>();
  let encodedLength = 0;

  const count = (part: string): void => {
    encodedLength += own.get(part)?.length ?? 0;
    if (encodedLength > MAX_BYTES) throw tooLong();
  };
  const visit = (name: string): number => {
    const known = heights.get(name);
    if (known !== undefined) return known;
    open.add(name);
    if (open.size > MAX_DEPTH) throw tooDeep();
    const reached = new Set<string>();
    let height = 1;
    const reach = (other: string): void => {
      if (reached.has(other)) return;
      reached.add(other);
      count(other);
    };
    count(name);
    for (const child of childrenOf(name, declarations)) {
      if (open.has(child)) throw invalidRequest(`types.${name} refers to itself through ${child}`);
      height = Math.max(height, visit(child) + 1);
      reach(child);
      references.get(child)?.forEach(reach);
    }
    if (height > MAX_DEPTH) throw tooDeep();
    open.delete(name);
    heights.set(name, height);
    references.set(name, reached);
    return height;
  };

  visit(primaryType);
  for (const name of declarations.keys()) {
    if (!references.has(name)) throw invalidRequest(`types.${name} is not used by ${primaryType}`);
  }
  return references;
}

function childrenOf(struct: string, declarations: Declarations): Set<string> {
  const children = new Set<string>();
  for (const [index, { type }] of (declarations.get(struct) ?? []).entries()) {
    const base = baseOf(type);
    if (base.kind !== 'struct') continue;
    if (!declarations.has(base.name)) {
      throw invalidRequest(
        `types.${struct}[${index}].type refers to ${base.name}, which types does not have`,
      );
    }
    children.add(base.name);
  }
  return children;
}

function encodeTypes(
  declarations: Declarations,
  own: OwnEncodings,
  references: Map<string, Set<string>>,
): StructTypes {
  const structs = new Map<string, StructType>();
  for (const [name, members] of declarations) {
    const parts = [name, ...[...(references.get(name) ?? [])].sort()].map((part) => own.get(part) ?? '');
    const memberNames = new Set(members.map((member) => member.name));
    structs.set(name, { name, members, memberNames, encoded: parts.join('') });
  }
  return structs;
}

const encodeOwn = (name: string, members: Member[]): string =>
  `${name}(${members.map((member) => `${member.type.name} ${member.name}`).join(',')})`;

const tooDeep = () => invalidRequest(`types nest deeper than ${MAX_DEPTH} levels`);

const tooLong = () =>
  invalidRequest(
    `types refer to each other so often that their encodings are larger than ${MAX_BYTES / 1024} KiB`,
  );
