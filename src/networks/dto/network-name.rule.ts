import { Matches } from 'class-validator';

export const NETWORK_NAME_PATTERN = '^[a-z0-9-]{1,64}$';

/** The name of a new network: 1–64 lower-case letters, digits and dashes. */
export function IsNetworkName(): PropertyDecorator {
  return Matches(new RegExp(NETWORK_NAME_PATTERN), {
    message: '$property must be 1 to 64 lower-case letters, digits or dashes',
  });
}
