import type { ValidationOptions } from 'class-validator';
import { validationRule } from '../../common/validation/validation-rule';
import { keccak256 } from './keccak256';

/** The form of an address, whose checksum may be invalid. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** The form of an address in OpenAPI, which cannot express the checksum. */
export const ADDRESS_PATTERN = ADDRESS.source;
const LETTER_A = 0x61;
const UPPER_CASE_OFFSET = 0x20;

/** `0x` and 40 hex digits; mixed case must be a valid EIP-55 checksum. ICAP is refused. */
export function IsEvmAddress(options?: ValidationOptions): PropertyDecorator {
  return validationRule(
    'isEvmAddress',
    isAddress,
    '$property must be an address: 0x and 40 hex digits, with a valid checksum if the case is mixed',
    options,
  );
}

/** Whether a value is an address, with a valid checksum if the case is mixed. */
export const isAddress = (value: unknown): value is string => checksummed(value) !== undefined;

/** The EIP-55 form of an address; undefined for anything else, including mixed case with an invalid checksum. */
export function checksummed(value: unknown): string | undefined {
  if (typeof value !== 'string' || !ADDRESS.test(value)) return undefined;
  const address = withChecksum(value);
  return isMixedCase(value) && value !== address ? undefined : address;
}

function isMixedCase(address: string): boolean {
  const digits = address.slice(2);
  return digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
}

/** Capitalizes the letters for which the hash of the digits has a digit of 8 or more in the same place. */
function withChecksum(address: string): string {
  const digits = Buffer.from(address.slice(2).toLowerCase(), 'latin1');
  const hash = keccak256(digits);
  for (let i = 0; i < digits.length; i += 1) {
    const digit = digits.readUInt8(i);
    const isHigh = ((hash[i >> 1] ?? 0) & (i % 2 === 0 ? 0x80 : 0x08)) !== 0;
    if (isHigh && digit >= LETTER_A) digits[i] = digit - UPPER_CASE_OFFSET;
  }
  return `0x${digits.toString('latin1')}`;
}
