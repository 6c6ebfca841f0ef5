import { invalidRequest } from '../../../common/errors/domain-error';
import { MAX_DEPTH, MAX_NODES } from './bounds';

/** The names of structs and members: Solidity identifiers of at most 128 characters. */
export const EIP712_NAME = /^[A-Za-z_$][A-Za-z0-9_$]{0,127}$/;
const ATOMIC = /^(?:address|bool|string|bytes|bytes([1-9]|[12]\d|3[0-2])|u?int([1-9]\d{0,2}))$/;
const MEMBER_TYPE = /^([A-Za-z_$][A-Za-z0-9_$]{0,127})((?:\[\d*\])*)$/;
const MAX_TYPE_LENGTH = 512;

/** The type of a member: an atomic one, a struct by its name, or arrays of either. */
export type MemberType =
  | { kind: 'atomic'; name: string }
  | { kind: 'struct'; name: string }
  /** `length` is undefined for arrays of any length. */
  | { kind: 'array'; name: string; item: MemberType; length: number | undefined };

/** Whether a value is an {@link EIP712_NAME}. */
export const isName = (name: unknown): name is string => typeof name === 'string' && EIP712_NAME.test(name);

/** Also true for names that look atomic but are not, such as `uint7`: no struct may have such a name. */
export const looksAtomic = (name: string): boolean => /^(address|bool|string|bytes\d*|u?int\d*)$/.test(name);

/**
 * Parses a type as declared in `types`: `uint256`, `Person`, `bytes32[2][]`.
 *
 * @param path path of the value, for errors
 * @throws DomainError `invalid_request`
 */
export function parseMemberType(text: unknown, path: string): MemberType {
  const match = typeof text === 'string' && text.length <= MAX_TYPE_LENGTH ? MEMBER_TYPE.exec(text) : null;
  if (!match) throw invalidRequest(`${path} must be a type of EIP-712 such as uint256, Person or bytes32[2]`);
  const [, base = '', suffix = ''] = match;
  const lengths = [...suffix.matchAll(/\[(\d*)\]/g)].map(([, digits = '']) => parseLength(digits, path));
  if (lengths.length > MAX_DEPTH) throw invalidRequest(`${path} has more than ${MAX_DEPTH} dimensions`);
  let type: MemberType = { kind: looksAtomic(base) ? 'atomic' : 'struct', name: base };
  if (type.kind === 'atomic' && !isAtomic(base)) {
    throw invalidRequest(
      `${path} is not a type of EIP-712: there are uint8 to uint256, int8 to int256, bytes1 to bytes32`,
    );
  }
  for (const length of lengths) {
    type = { kind: 'array', name: `${type.name}[${length ?? ''}]`, item: type, length };
  }
  return type;
}

/** The innermost type of nested arrays: a struct or an atomic type. */
export function baseOf(type: MemberType): MemberType {
  return type.kind === 'array' ? baseOf(type.item) : type;
}

/** `uint` and `int` are not types of EIP-712, and signers disagree on how to hash them. */
function isAtomic(name: string): boolean {
  const match = ATOMIC.exec(name);
  const bits = match?.[2];
  return match !== null && (bits === undefined || (Number(bits) % 8 === 0 && Number(bits) <= 256));
}

function parseLength(digits: string, path: string): number | undefined {
  if (digits === '') return undefined;
  if (/^[1-9]\d{0,4}$/.test(digits) && Number(digits) <= MAX_NODES) return Number(digits);
  throw invalidRequest(`${path} has an array length that is not an integer from 1 to ${MAX_NODES}`);
}
