import { isDeepStrictEqual } from 'node:util';
import { invalidRequest } from '../../../common/errors/domain-error';
import { keccak256Hex } from '../keccak256';
import { atomicFault, type AtomicValue, encodeExact, parseAtomic } from './atomic-value';
import { isObject, shown } from '../../../common/validation/json-object';
import { Words } from './words';

/** The members of a domain in the order of EIP-712, and their types. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ['name', 'string'],
  ['version', 'string'],
  ['chainId', 'uint256'],
  ['verifyingContract', 'address'],
  ['salt', 'bytes32'],
]);

/** A member of a domain, with its parsed value. */
export interface DomainMember {
  name: string;
  type: string;
  value: AtomicValue;
}

/** The members of a domain that policies check. */
export interface TypedDataDomain {
  /** hashStruct of the domain, as hex with `0x`. */
  separator: string;
  chainId: bigint | undefined;
  /** EIP-55. */
  verifyingContract: string | undefined;
}

/**
 * Parses `domain`, and `EIP712Domain` in `types` if it is present. Wallets send the latter; it must then declare
 * exactly the members that the domain has, in the order of EIP-712.
 *
 * @throws DomainError `invalid_request`
 */
export function parseDomain(domain: unknown, types: unknown): TypedDataDomain {
  if (!isObject(domain)) throw invalidRequest('domain must be an object');
  const values = new Map<string, AtomicValue>();
  for (const [name, value] of Object.entries(domain)) {
    const type = MEMBERS.get(name);
    if (type === undefined) throw invalidRequest(`domain.${shown(name)} is not a member of EIP712Domain`);
    const exact = parseAtomic(type, value);
    if (exact === undefined) throw invalidRequest(`domain.${name} ${atomicFault(type, value)}`);
    values.set(name, exact);
  }
  const members = [...MEMBERS].flatMap(([name, type]) => {
    const value = values.get(name);
    return value === undefined ? [] : [{ name, type, value }];
  });
  if (members.length === 0) throw invalidRequest(`domain must have one of ${[...MEMBERS.keys()].join(', ')}`);
  checkDeclaration(types, members);
  return {
    separator: domainSeparator(members),
    chainId: values.get('chainId') as bigint | undefined,
    verifyingContract: values.get('verifyingContract') as string | undefined,
  };
}

/** hashStruct of a domain with these members, as hex with `0x`. */
export function domainSeparator(members: readonly DomainMember[]): string {
  const declared = members.map(({ name, type }) => `${type} ${name}`).join(',');
  const words = new Words(1 + members.length);
  words.add(keccak256Hex(Buffer.from(`EIP712Domain(${declared})`)));
  for (const { type, value } of members) words.add(encodeExact(type, value));
  return words.hash();
}

function checkDeclaration(types: unknown, members: DomainMember[]): void {
  if (!isObject(types) || !Object.hasOwn(types, 'EIP712Domain')) return;
  const expected = members.map(({ name, type }) => ({ name, type }));
  const declared = types.EIP712Domain;
  // Without their prototypes, which plugins may give to members.
  const given = Array.isArray(declared)
    ? declared.map((member: unknown) => Object.assign({}, member))
    : declared;
  if (!isDeepStrictEqual(given, expected)) {
    const list = expected.map(({ name, type }) => `${type} ${name}`).join(', ');
    throw invalidRequest(`types.EIP712Domain must declare what domain has, in the order of EIP-712: ${list}`);
  }
}
