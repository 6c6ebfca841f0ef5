import { DomainError, invalidRequest } from '../errors/domain-error';

const MAX_DEPTH = 64;
const MAX_SHOWN_NAME = 64;
/** What every object inherits, such as `__proto__`, `constructor` and `toString`; libraries skip or trip over such names. */
const PROTOTYPE_KEYS = new Set(['prototype', ...Object.getOwnPropertyNames(Object.prototype)]);
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\],:]|true|false|null/g;
const PLAIN_INTEGER = /^-?\d+$/;
/** Decimal literals up to this many digits survive the way through a double unchanged. */
const EXACT_DIGITS = 15;

/** A place in a document: the names of the open objects and the positions in the open arrays. */
interface Frame {
  keys: Set<string> | undefined;
  position: number;
  name: string;
}

/**
 * Parses JSON (RFC 8259) as a service that handles money must: nothing is rounded and nothing is dropped in
 * silence. Beyond the grammar it refuses repeated names, names that reach an object's prototype, numbers that a
 * double cannot hold exactly, ill-formed Unicode and nesting deeper than 64.
 *
 * @throws DomainError `invalid_request`, naming the place and the rule
 */
export function parseStrictJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidRequest('the request body is not valid JSON');
  }
  inspect(text);
  return value;
}

/** Walks the tokens of a text that is known to be valid JSON, without recursion. */
function inspect(text: string): void {
  const open: Frame[] = [];
  let nameExpected = false;
  for (const [token] of text.matchAll(TOKEN)) {
    const frame = open.at(-1);
    switch (token) {
      case '{':
      case '[':
        if (open.length === MAX_DEPTH)
          throw invalidRequest(`the request body nests deeper than ${MAX_DEPTH} levels`);
        open.push({ keys: token === '{' ? new Set() : undefined, position: 0, name: '' });
        nameExpected = token === '{';
        break;
      case '}':
      case ']':
        open.pop();
        nameExpected = false;
        break;
      case ',':
        if (frame) frame.position += 1;
        nameExpected = frame?.keys !== undefined;
        break;
      case ':':
        nameExpected = false;
        break;
      default:
        if (nameExpected && frame?.keys) checkName(token, frame, frame.keys, open);
        else checkScalar(token, open);
    }
  }
}

function checkName(token: string, frame: Frame, keys: Set<string>, open: Frame[]): void {
  frame.name = '?';
  const name = decodeString(token, open);
  frame.name = name.slice(0, MAX_SHOWN_NAME) || '""';
  if (PROTOTYPE_KEYS.has(name)) throw invalidRequest(`${pathOf(open)} is not allowed as a field name`);
  if (keys.has(name)) throw invalidRequest(`${pathOf(open)} is given more than once`);
  keys.add(name);
}

function checkScalar(token: string, open: Frame[]): void {
  if (token.startsWith('"')) decodeString(token, open);
  else if (/^[-\d]/.test(token)) checkNumber(token, open);
}

function checkNumber(token: string, open: Frame[]): void {
  const value = Number(token);
  if (PLAIN_INTEGER.test(token) ? Number.isSafeInteger(value) : isExactDecimal(token, value)) return;
  throw rounded(pathOf(open));
}

function isExactDecimal(token: string, value: number): boolean {
  const digits = token.replace(/[eE].*$/, '').replace(/\D/g, '');
  const vanishes = value === 0 && /[1-9]/.test(digits);
  return digits.length <= EXACT_DIGITS && Math.abs(value) <= Number.MAX_SAFE_INTEGER && !vanishes;
}

function rounded(path: string): DomainError {
  return invalidRequest(
    `${path} is a number that JSON clients round (beyond 2^53-1 or over ${EXACT_DIGITS} digits): send it as a decimal string`,
  );
}

function decodeString(token: string, open: Frame[]): string {
  if (!token.includes('\\')) return token.slice(1, -1);
  const decoded = JSON.parse(token) as string;
  if (!decoded.isWellFormed()) throw invalidRequest(`${pathOf(open)} holds an unpaired surrogate`);
  return decoded;
}

function pathOf(open: Frame[]): string {
  const path = open.map((frame) => (frame.keys ? `.${frame.name}` : `[${frame.position}]`)).join('');
  return path === '' ? 'the request body' : path.replace(/^\./, '');
}
