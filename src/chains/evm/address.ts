import { getAddress } from 'ethers';
import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

/** `0x` and 40 hex digits; mixed case must be a valid EIP-55 checksum. ICAP is refused. */
export function IsEvmAddress(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isEvmAddress',
      validator: {
        validate: (value: unknown) => checksummed(value) !== undefined,
        defaultMessage: buildMessage(
          (each) =>
            `${each}$property must be an address: 0x and 40 hex digits, with a valid checksum if of mixed case`,
          options,
        ),
      },
    },
    options,
  );
}

/** The EIP-55 form of an address; undefined for anything else. */
export function checksummed(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(value)) return undefined;
  try {
    return getAddress(value);
  } catch {
    return undefined;
  }
}
