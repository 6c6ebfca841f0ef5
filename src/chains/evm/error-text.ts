import type { JsonRpcError } from '../rpc/json-rpc';

/** An error that says more is not read further. */
const MAX_CHARACTERS = 2000;

/** What a node says in words: the message of an error, and its data where that is text. */
export function textOf({ message, data }: JsonRpcError): string {
  const text = typeof data === 'string' && !data.startsWith('0x') ? `${message} ${data}` : message;
  return text.slice(0, MAX_CHARACTERS);
}
