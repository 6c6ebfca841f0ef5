import type { JsonRpcError } from '../rpc/json-rpc';

/** Longer texts are truncated before they are matched. */
const MAX_CHARACTERS = 2000;

/** The text of a node's error: its message, followed by its data if that is text. */
export function textOf({ message, data }: JsonRpcError): string {
  const text = typeof data === 'string' && !data.startsWith('0x') ? `${message} ${data}` : message;
  return text.slice(0, MAX_CHARACTERS);
}
