import type { JsonRpcError } from '../rpc/json-rpc';
import { textOf } from './error-text';

const MAX_LOGGED = 300;

/** Characters that are not visible, or that change how a terminal shows the line. */
const INVISIBLE = /[\p{C}\p{Z}]+/gu;
const URL = /[a-z][a-z0-9+.-]{1,20}:\/\/\S+/gi;
/** Long words with digits, such as tokens and raw transactions. Numbers, addresses and hashes are shown. */
const TOKEN = /\b(?!(?:0x[0-9a-f]{1,64}|\d+)\b)(?=[\w-]*\d)[\w-]{20,}/gi;

/** The text of a node's error for the log: on one line, shortened, without URLs and what may be a secret. */
export function loggableText(error: JsonRpcError): string {
  const text = textOf(error)
    .toWellFormed()
    .replace(INVISIBLE, ' ')
    .replace(URL, '[url]')
    .replace(TOKEN, '[…]');
  return text.trim().slice(0, MAX_LOGGED).toWellFormed();
}
