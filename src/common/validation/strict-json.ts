import { DomainError, invalidRequest } from '../errors/domain-error';

const MAX_DEPTH = 64;

/** How much a document may hold. */
export interface JsonLimits {
  /** Objects, lists, texts, numbers and literals. */
  values: number;
  /** Fields of all objects. */
  fields: number;
  /** Different beginnings of objects: each costs V8 a hidden class, a microsecond where a known one costs a tenth of it. */
  shapes: number;
}

/** A thousand requests to sign have half as many fields; more values than that are of a letter or two. */
export const WIDE_LIMITS: JsonLimits = { values: 100_000, fields: 50_000, shapes: 10_000 };
/** For what is turned into a DTO, which takes twenty times as long as to read it: lists of a thousand objects pass. */
export const DTO_LIMITS: JsonLimits = { values: 20_000, fields: 20_000, shapes: 1_000 };

/** Of one hidden class V8 remembers 1536 that follow it; one beyond them is made anew each time. */
const MAX_BRANCHES = 1_000;
const MAX_SHOWN_NAME = 64;
/** Characters from which on each step of the work is worth a turn of the event loop of its own. */
export const LONG_TEXT = 4 * 1024;
/** Characters of a step, which takes less than a millisecond or, where they are names alone, a few. */
const STRETCH = 16 * 1024;
/** What every object inherits, such as `__proto__`, `constructor` and `toString`; libraries skip or trip over such names. */
const PROTOTYPE_KEYS = new Set(['prototype', ...Object.getOwnPropertyNames(Object.prototype)]);
const NUMBER = /[\d.eE+-]+/y;
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
 * double cannot hold exactly, ill-formed Unicode, nesting deeper than 64 and what is beyond the limits.
 *
 * @throws DomainError `invalid_request`, naming the place and the rule
 */
export function parseStrictJson(text: string): unknown {
  const reading = readStrictJson(text, WIDE_LIMITS);
  for (;;) {
    const step = reading.next();
    if (step.done) return step.value;
  }
}

/** {@link parseStrictJson} in steps, for others to have their turn of the event loop between them. */
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
    throw invalidRequest('the request body is not valid JSON');
  }
}

/**
 * Stops what `JSON.parse` would take tens of milliseconds for, in one go. It counts signs, so the text need not be
 * JSON, and twice too many values pass.
 */
function* checkExtent(text: string, limits: JsonLimits): Generator<void, void> {
  /** Numbers of shapes, by the number of the shape before and the name that was added to it. */
  const shapes = new Map<string, number>();
  /** How many shapes follow each shape, by its number; 0 is the empty object. */
  const followers: number[] = [0];
  /** The shapes of the open objects. */
  const open: number[] = [];
  let commas = 0;
  let opened = 0;
  let fields = 0;
  let stretchEnd = STRETCH;
  for (let i = 0; i < text.length; i += 1) {
    if (i >= stretchEnd) {
      yield;
      stretchEnd = i + STRETCH;
    }
    switch (text.charAt(i)) {
      case ',':
        commas += 1;
        if (commas >= limits.values) throw tooMany(limits.values, 'values');
        break;
      case '{':
      case '[':
        opened += 1;
        open.push(0);
        if (open.length > MAX_DEPTH) throw tooDeep();
        if (opened > limits.values) throw tooMany(limits.values, 'values');
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case '"': {
        const end = endOfString(text, i);
        if (isBeforeColon(text, end)) {
          fields += 1;
          if (fields > limits.fields) throw tooMany(limits.fields, 'fields');
          const before = open.pop() ?? 0;
          const step = `${before} ${text.slice(i, end)}`;
          let shape = shapes.get(step);
          if (shape === undefined) {
            shape = followers.push(0) - 1;
            shapes.set(step, shape);
            followers[before] = (followers[before] ?? 0) + 1;
            if (shape > limits.shapes) throw tooMany(limits.shapes, 'different sequences of field names');
            if (followers[before] > MAX_BRANCHES) throw tooManyBranches();
          }
          open.push(shape);
        }
        i = end - 1;
      }
    }
  }
}

/**
 * Refuses what the grammar allows and this service does not, in a text that is known to be valid JSON.
 *
 * It walks without recursion. Character by character: tokens by regular expression
 * hold the event loop for a tenth of a second where a body of 1 MiB has many.
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

const tooMany = (limit: number, what: string): DomainError =>
  invalidRequest(`the request body has more than ${limit} ${what}`);

const tooManyBranches = (): DomainError =>
  invalidRequest(
    `the request body has objects that begin alike and go on with more than ${MAX_BRANCHES} different names`,
  );

const tooDeep = (): DomainError => invalidRequest(`the request body nests deeper than ${MAX_DEPTH} levels`);

/** The position after the quote that closes the string that opens at `start`, or after the text where none does. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

function isBeforeColon(text: string, position: number): boolean {
  let next = position;
  while (isWhiteSpace(text.charCodeAt(next))) next += 1;
  return text.charAt(next) === ':';
}

/** Blank, tab, line feed or carriage return. */
const isWhiteSpace = (code: number): boolean =>
  code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function endOfNumber(text: string, start: number): number {
  NUMBER.lastIndex = start;
  NUMBER.test(text);
  return NUMBER.lastIndex;
}

function checkName(token: string, frame: Frame, keys: Set<string>, open: Frame[]): void {
  frame.name = '?';
  const name = decodeString(token, open);
  frame.name = name.slice(0, MAX_SHOWN_NAME) || '""';
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
