import type { ValidationOptions } from 'class-validator';
import { validationRule } from '../../common/validation/validation-rule';
import { keccak256Hex } from './keccak256';

/** The form of an address, whose checksum may be invalid. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** The form of an address in OpenAPI, which cannot express the checksum. */
export const ADDRESS_PATTERN = ADDRESS.source;
const MIXED_CASE = /[A-F].*[a-f]|[a-f].*[A-F]/;

/** `0x` and 40 hex digits; mixed case must be a valid EIP-55 checksum. ICAP is refused. */
export function IsEvmAddress(options?: ValidationOptions): PropertyDecorator {
  return validationRule(
    'isEvmAddress',
    (value) => checksummed(value) !== undefined,
    '$property must be an address: 0x and 40 hex digits, with a valid checksum if of mixed case',
    options,
  );
}

/** The EIP-55 form of an address; undefined for anything else, including mixed case with an invalid checksum. */
export function checksummed(value: unknown): string | undefined {
  if (typeof value !== 'string' || !ADDRESS.test(value)) return undefined;
  const digits = value.slice(2).toLowerCase();
  const hash = keccak256Hex(Buffer.from(digits)).slice(2);
  const cased = Array.from(digits, (digit, i) => (hash.charAt(i) >= '8' ? digit.toUpperCase() : digit));
  const address = `0x${cased.join('')}`;
  return MIXED_CASE.test(value) && value !== address ? undefined : address;
}
