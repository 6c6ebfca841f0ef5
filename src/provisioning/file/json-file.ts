import { DomainError, invalidRequest } from '../../common/errors/domain-error';
import { matchAt } from '../../common/validation/match-at';
import { decodeUtf8, NOT_JSON, parseStrictJson } from '../../common/validation/strict-json';

const SPACE = /[ \t\n\r]*/y;
/** A token of JSON (RFC 8259). */
const TOKEN =
  /[[\]{},:]|"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** The characters with which a value, or the name of a field, may begin. */
const VALUE = '{["-0123456789tfn';
const NAME = '"';

/**
 * Parses the JSON of a file, its bytes or its text, as strictly as a request body.
 *
 * @throws DomainError `invalid_request`, naming the position and the rule, but never showing content, which may be
 * secret
 */
export function parseJsonFile(content: string | Uint8Array): unknown {
  let text = '';
  try {
    text = typeof content === 'string' ? content : decodeUtf8(content);
    return parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const fault = error.detail.replace('the request body', 'the file');
    throw invalidRequest(error.detail === NOT_JSON ? `${fault}: ${placeOfFault(text)}` : fault);
  }
}

function placeOfFault(text: string): string {
  const json = text.replace(/^\uFEFF/, '');
  const lines = json.slice(0, findSyntaxError(json)).split(/\r\n|\n|\r/);
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

/**
 * The position of the first misplaced token, or the length of a text that ends too early; undefined if the text is
 * JSON. `JSON.parse` is no help: only some of its messages have a position, in a form that depends on the version of
 * Node.
 */
export function findSyntaxError(text: string): number | undefined {
  const closing: string[] = [];
  let allowed = VALUE;
  for (let position = 0; ;) {
    position += matchAt(SPACE, text, position)?.length ?? 0;
    if (position === text.length) return allowed === '' ? undefined : position;
    const token = matchAt(TOKEN, text, position);
    if (token === undefined || !allowed.includes(token.charAt(0))) return position;
    position += token.length;
    const isName = token.startsWith('"') && !allowed.includes('{');
    if (token === '{' || token === '[') {
      closing.push(token === '{' ? '}' : ']');
      allowed = token === '{' ? `${NAME}}` : `${VALUE}]`;
    } else if (token === ':') {
      allowed = VALUE;
    } else if (token === ',') {
      allowed = closing.at(-1) === '}' ? NAME : VALUE;
    } else {
      if (token === '}' || token === ']') closing.pop();
      const end = closing.at(-1);
      allowed = isName ? ':' : end === undefined ? '' : `,${end}`;
    }
  }
}
