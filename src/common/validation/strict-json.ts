import { DomainError, invalidRequest } from '../errors/domain-error';
import { checkExtent } from './json-extent';
import { type JsonLimits, LONG_TEXT, MAX_DEPTH, STRETCH, tooDeep, tooMany, WIDE_LIMITS } from './json-limits';
import { shown } from './json-object';
import { endOfString } from './json-text';

/** The detail of the error for a text that is not JSON at all. */
export const NOT_JSON = 'the request body is not valid JSON';

/**
 * Names that every object inherits, such as `__proto__`, `constructor` and `toString`. Libraries mishandle such fields.
 */
const PROTOTYPE_KEYS = new Set(['prototype', ...Object.getOwnPropertyNames(Object.prototype)]);
const utf8 = new TextDecoder('utf-8', { fatal: true });
const NUMBER = /[\d.eE+-]+/y;
const PLAIN_INTEGER = /^-?\d+$/;
/** Decimal literals of up to this many digits survive conversion to a double unchanged. */
const EXACT_DIGITS = 15;

/** A position in a document: the names of the open objects and the positions in the open arrays. */
interface Frame {
  keys: Set<string> | undefined;
  position: number;
  name: string;
}

/**
 * Parses JSON (RFC 8259) as strictly as a service that handles money must: nothing is silently rounded or dropped.
 * Beyond the grammar, it rejects duplicate names, names that reach an object's prototype, numbers that a double cannot
 * represent exactly, ill-formed Unicode, nesting deeper than 64 levels, and documents beyond the limits. A leading byte
 * order mark is ignored (8.1).
 *
 * @throws DomainError `invalid_request`, naming the position and the rule
 */
export function parseStrictJson(text: string): unknown {
  const reading = readStrictJson(text.replace(/^\uFEFF/, ''), WIDE_LIMITS);
  for (;;) {
    const step = reading.next();
    if (step.done) return step.value;
  }
}

/** @throws DomainError `invalid_request` */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidRequest('the request body is not valid UTF-8');
  }
}

/** As {@link parseStrictJson}, in steps between which other requests can use the event loop. */
export function* readStrictJson(text: string, limits: JsonLimits): Generator<void, unknown> {
  if (text.length > STRETCH) yield* checkExtent(text, limits);
  const value = parseJson(text);
  if (text.length > LONG_TEXT) yield;
  yield* inspect(text, limits);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest(NOT_JSON);
  }
}

/**
 * Rejects what the grammar allows but this service does not, in a text that is known to be valid JSON.
 *
 * It works without recursion and character by character: with tokens matched by regular expressions, a body of 1 MiB
 * would occupy the event loop for a tenth of a second.
 */
function* inspect(text: string, limits: JsonLimits): Generator<void, void> {
  const open: Frame[] = [];
  let frame: Frame | undefined;
  let nameExpected = false;
  let values = 0;
  let stretchEnd = STRETCH;
  const countValue = () => {
    values += 1;
    if (values > limits.values) throw tooMany(limits.values, 'values');
  };
  for (let i = 0; i < text.length;) {
    const char = text.charAt(i);
    let end = i + 1;
    if (i >= stretchEnd) {
      yield;
      stretchEnd = i + STRETCH;
    }
    switch (char) {
      case '{':
      case '[':
        countValue();
        if (open.length === MAX_DEPTH) throw tooDeep();
        frame = { keys: char === '{' ? new Set() : undefined, position: 0, name: '' };
        open.push(frame);
        nameExpected = char === '{';
        break;
      case '}':
      case ']':
        open.pop();
        frame = open.at(-1);
        nameExpected = false;
        break;
      case ',':
        if (frame) frame.position += 1;
        nameExpected = frame?.keys !== undefined;
        break;
      case ':':
        nameExpected = false;
        break;
      case '"':
        end = endOfString(text, i);
        if (nameExpected && frame?.keys) {
          checkName(text.slice(i, end), frame, frame.keys, open);
        } else {
          countValue();
          decodeString(text.slice(i, end), open);
        }
        break;
      case 't':
      case 'n':
        countValue();
        end = i + 4;
        break;
      case 'f':
        countValue();
        end = i + 5;
        break;
      case ' ':
      case '\t':
      case '\n':
      case '\r':
        break;
      default:
        countValue();
        end = endOfNumber(text, i);
        checkNumber(text.slice(i, end), open);
    }
    i = end;
  }
}

function endOfNumber(text: string, start: number): number {
  NUMBER.lastIndex = start;
  NUMBER.test(text);
  return NUMBER.lastIndex;
}

function checkName(token: string, frame: Frame, keys: Set<string>, open: Frame[]): void {
  frame.name = '?';
  const name = decodeString(token, open);
  frame.name = shown(name) || '""';
  if (PROTOTYPE_KEYS.has(name)) throw invalidRequest(`${pathOf(open)} is not allowed as a field name`);
  if (keys.has(name)) throw invalidRequest(`${pathOf(open)} is given more than once`);
  keys.add(name);
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
