import { DEMONSTRATION_ID } from './demonstration.service';

/** The two hashes of the EIP-712 example: Ether Mail, from Cow to Bob. */
export const EIP712_EXAMPLE = {
  domain_separator: '0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f',
  hash_struct_message: '0xc52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e',
};

/**
 * A shell command that signs typed data with the demonstration relayer.
 *
 * @param token the bearer token, in a form for double quotes in a shell: a variable, or {@link contentOf} a file
 */
export function demonstrationCommand(baseUrl: string, token: string): string {
  return [
    `curl -sS -X POST ${baseUrl}/api/v1/relayers/${DEMONSTRATION_ID}/sign-typed-data`,
    `-H "Authorization: Bearer ${token}"`,
    `-H "Content-Type: application/json"`,
    `-d '${JSON.stringify(EIP712_EXAMPLE)}'`,
  ].join(' ');
}

/** A POSIX shell expression for the content of a file, which also works inside double quotes. */
export const contentOf = (path: string): string => `$(cat '${path.replaceAll("'", "'\\''")}')`;
