import { decodeBase58, toBeArray } from 'ethers';
import type { ValidationOptions } from 'class-validator';
import { validationRule } from '../../common/validation/validation-rule';

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
/** The form of a Solana address in OpenAPI. */
export const SOLANA_ADDRESS_PATTERN = BASE58.source;

/** A Solana public key: base58 of 32 bytes. */
export function IsSolanaAddress(options?: ValidationOptions): PropertyDecorator {
  return validationRule(
    'isSolanaAddress',
    isSolanaAddress,
    '$property must be a Solana address (base58 of 32 bytes)',
    options,
  );
}

function isSolanaAddress(value: unknown): boolean {
  if (typeof value !== 'string' || !BASE58.test(value)) return false;
  const leadingZeros = /^1*/.exec(value)?.[0].length ?? 0;
  const digits = value.slice(leadingZeros);
  return leadingZeros + (digits === '' ? 0 : toBeArray(decodeBase58(digits)).length) === 32;
}
