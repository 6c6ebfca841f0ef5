import { decodeBase58, toBeArray } from 'ethers';
import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';
import { isStrKey, STRKEY_ACCOUNT, STRKEY_CONTRACT } from '../stellar/strkey';

/** A Solana public key: base58 of 32 bytes. */
export function IsSolanaAddress(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isSolanaAddress',
      validator: {
        validate: isSolanaAddress,
        defaultMessage: buildMessage(
          (each) => `${each}$property must be a Solana address (base58 of 32 bytes)`,
          options,
        ),
      },
    },
    options,
  );
}

/** A Stellar asset: `native`, `XLM`, `CODE:ISSUER` or a contract's address. */
export function IsStellarAsset(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isStellarAsset',
      validator: {
        validate: isStellarAsset,
        defaultMessage: buildMessage(
          (each) => `${each}$property must be native, XLM, CODE:ISSUER or the address of a contract`,
          options,
        ),
      },
    },
    options,
  );
}

function isSolanaAddress(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value)) return false;
  const leadingZeros = /^1*/.exec(value)?.[0].length ?? 0;
  const digits = value.slice(leadingZeros);
  return leadingZeros + (digits === '' ? 0 : toBeArray(decodeBase58(digits)).length) === 32;
}

function isStellarAsset(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (value === 'native' || value === 'XLM' || isStrKey(STRKEY_CONTRACT, value)) return true;
  const [code = '', issuer, ...rest] = value.split(':');
  return rest.length === 0 && /^[A-Za-z0-9]{1,12}$/.test(code) && isStrKey(STRKEY_ACCOUNT, issuer);
}
