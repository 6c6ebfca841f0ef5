import { StringScanner } from './string-scanner';

/** A member of the outermost object. Positions are bytes from the beginning of the text; ends are exclusive. */
export interface JsonMember {
  /** The name with its quotes. */
  nameStart: number;
  nameEnd: number;
  valueStart: number;
  valueEnd: number;
}

/** An item of the outermost list; positions are as in {@link JsonMember}. */
export interface JsonItem {
  start: number;
  end: number;
}

/** The text was refused. The message completes "The response …". */
export class JsonScanError extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'JsonScanError';
  }
}

/**
 * Enough for traces, which add two levels for each of up to 1024 nested calls. At depths not far beyond, clients'
 * parsers overflow their stack.
 */
const MAX_DEPTH = 2500;
/** A JSON-RPC response has three; some nodes add a few. */
const MAX_MEMBERS = 32;

export interface ScanLimits {
  /** The maximum number of members of an outermost object; 32 by default. */
  maxMembers?: number;
  /** The maximum number of items of an outermost list. Without it, items are neither counted nor recorded. */
  maxItems?: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS_SIGN = 0x2d;
const PLUS_SIGN = 0x2b;
const POINT_SIGN = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const COLON_SIGN = 0x3a;
/** The beginning of a list. */
export const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Clearing this bit turns a lower-case letter into an upper-case one. */
const CASE_BIT = 0x20;
const LETTER_E = 0x65;

/** States: what is expected next. */
const VALUE = 0;
const FIRST_ITEM = 1;
const FIRST_NAME = 2;
const NAME = 3;
const COLON = 4;
const AFTER_VALUE = 5;
const STRING = 6;
const LITERAL = 7;
const MINUS = 8;
const ZERO = 9;
const INTEGER = 10;
const POINT = 11;
const FRACTION = 12;
const EXPONENT = 13;
const EXPONENT_SIGN = 14;
const EXPONENT_DIGITS = 15;

const LITERALS: Readonly<Record<number, Uint8Array>> = {
  0x74: Buffer.from('true'),
  0x66: Buffer.from('false'),
  0x6e: Buffer.from('null'),
};
const NO_LITERAL = new Uint8Array(0);

/**
 * Checks JSON (RFC 8259, in UTF-8) byte by byte, in pieces and without building values. It finds the members of the
 * outermost object and, on request, the items of the outermost list. It is stricter than the grammar where parsers
 * disagree: it refuses unpaired surrogates.
 */
export class JsonScanner {
  /** Members of the outermost object, in order. */
  readonly members: JsonMember[] = [];
  /** Items of the outermost list, in order. */
  readonly items: JsonItem[] = [];
  private readonly strings = new StringScanner();
  /** For each depth, whether the container is an object. The text itself is at depth 0. */
  private readonly objects = new Uint8Array(MAX_DEPTH + 1);
  private depth = 0;
  private state = VALUE;
  /** The number of bytes in earlier pieces. */
  private before = 0;
  private isName = false;
  private literal: Uint8Array = NO_LITERAL;
  private matched = 0;
  private nameStart = 0;
  private nameEnd = 0;
  private valueStart = 0;
  private outermostIsObject = false;

  constructor(private readonly limits: ScanLimits = {}) {}

  /** @throws JsonScanError */
  write(piece: Buffer): void {
    let position = 0;
    while (position < piece.length) {
      position =
        this.state === STRING ? this.continueString(piece, position) : this.step(piece[position], position);
    }
    this.before += piece.length;
  }

  /** Ends the text. @returns whether it is an object @throws JsonScanError */
  end(): boolean {
    if (this.depth === 0 && isWholeNumber(this.state)) this.state = AFTER_VALUE;
    if (this.depth > 0 || this.state !== AFTER_VALUE) throw notJson();
    return this.outermostIsObject;
  }

  private continueString(piece: Buffer, position: number): number {
    const end = this.strings.scan(piece, position);
    if (end < 0) throw notJson();
    if (!this.strings.isClosed) return end;
    if (this.isName) {
      if (this.depth === 1) this.nameEnd = this.before + end;
      this.state = COLON;
    } else this.endValue(end);
    return end;
  }

  /** Processes one byte outside of strings. @returns the position of the next byte to process */
  private step(byte = 0, position: number): number {
    switch (this.state) {
      case FIRST_ITEM:
        if (byte === CLOSE_LIST) return this.close(position);
        return isBlank(byte) ? position + 1 : this.beginValue(byte, position);
      case VALUE:
        return isBlank(byte) ? position + 1 : this.beginValue(byte, position);
      case FIRST_NAME:
        if (byte === CLOSE_OBJECT) return this.close(position);
        return isBlank(byte) ? position + 1 : this.beginName(byte, position);
      case NAME:
        return isBlank(byte) ? position + 1 : this.beginName(byte, position);
      case COLON:
        if (byte === COLON_SIGN) this.state = VALUE;
        else if (!isBlank(byte)) throw notJson();
        return position + 1;
      case AFTER_VALUE:
        return isBlank(byte) ? position + 1 : this.afterValue(byte, position);
      case LITERAL:
        return this.continueLiteral(byte, position);
      default:
        return this.continueNumber(byte, position);
    }
  }

  private beginValue(byte: number, position: number): number {
    if (this.depth <= 1) this.valueStart = this.before + position;
    if (byte === QUOTE) {
      this.isName = false;
      return this.beginString(position);
    }
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) return this.open(byte === OPEN_OBJECT, position);
    if (isDigit(byte)) this.state = byte === DIGIT_0 ? ZERO : INTEGER;
    else if (byte === MINUS_SIGN) this.state = MINUS;
    else this.beginLiteral(byte);
    return position + 1;
  }

  private beginLiteral(byte: number): void {
    const literal = LITERALS[byte];
    if (!literal) throw notJson();
    this.literal = literal;
    this.matched = 1;
    this.state = LITERAL;
  }

  private beginName(byte: number, position: number): number {
    if (byte !== QUOTE) throw notJson();
    if (this.depth === 1) this.nameStart = this.before + position;
    this.isName = true;
    return this.beginString(position);
  }

  private beginString(position: number): number {
    this.strings.open();
    this.state = STRING;
    return position + 1;
  }

  private open(isObject: boolean, position: number): number {
    if (this.depth === MAX_DEPTH) throw new JsonScanError('nests too deep');
    if (this.depth === 0) this.outermostIsObject = isObject;
    this.depth += 1;
    this.objects[this.depth] = isObject ? 1 : 0;
    this.state = isObject ? FIRST_NAME : FIRST_ITEM;
    return position + 1;
  }

  private close(position: number): number {
    this.depth -= 1;
    this.endValue(position + 1);
    return position + 1;
  }

  private afterValue(byte: number, position: number): number {
    if (this.depth === 0) throw notJson();
    const inObject = this.objects[this.depth] === 1;
    if (byte === COMMA) {
      this.state = inObject ? NAME : VALUE;
      return position + 1;
    }
    if (byte !== (inObject ? CLOSE_OBJECT : CLOSE_LIST)) throw notJson();
    return this.close(position);
  }

  private continueLiteral(byte: number, position: number): number {
    if (byte !== this.literal[this.matched]) throw notJson();
    this.matched += 1;
    if (this.matched === this.literal.length) this.endValue(position + 1);
    return position + 1;
  }

  private continueNumber(byte: number, position: number): number {
    const next = stateOfNumber(this.state, byte);
    if (next !== undefined) {
      this.state = next;
      return position + 1;
    }
    if (!isWholeNumber(this.state)) throw notJson();
    // The byte is not part of the number, and is processed again.
    this.endValue(position);
    return position;
  }

  /** Ends a value before this position of the current piece. */
  private endValue(position: number): void {
    this.state = AFTER_VALUE;
    if (this.depth !== 1) return;
    if (this.outermostIsObject) this.addMember(this.before + position);
    else if (this.limits.maxItems !== undefined) this.addItem(this.before + position, this.limits.maxItems);
  }

  private addMember(valueEnd: number): void {
    if (this.members.length === (this.limits.maxMembers ?? MAX_MEMBERS))
      throw new JsonScanError('has too many members');
    const { nameStart, nameEnd, valueStart } = this;
    this.members.push({ nameStart, nameEnd, valueStart, valueEnd });
  }

  private addItem(end: number, maxItems: number): void {
    if (this.items.length === maxItems) throw new JsonScanError('has too many items');
    this.items.push({ start: this.valueStart, end });
  }
}

/** Undefined if the number does not continue with this byte. */
function stateOfNumber(state: number, byte: number): number | undefined {
  const startsExponent = (byte | CASE_BIT) === LETTER_E;
  switch (state) {
    case MINUS:
      return isDigit(byte) ? (byte === DIGIT_0 ? ZERO : INTEGER) : undefined;
    case ZERO:
    case INTEGER:
      if (state === INTEGER && isDigit(byte)) return INTEGER;
      if (byte === POINT_SIGN) return POINT;
      return startsExponent ? EXPONENT : undefined;
    case POINT:
      return isDigit(byte) ? FRACTION : undefined;
    case FRACTION:
      if (isDigit(byte)) return FRACTION;
      return startsExponent ? EXPONENT : undefined;
    case EXPONENT:
      if (byte === PLUS_SIGN || byte === MINUS_SIGN) return EXPONENT_SIGN;
      return isDigit(byte) ? EXPONENT_DIGITS : undefined;
    default:
      return isDigit(byte) ? EXPONENT_DIGITS : undefined;
  }
}

const isWholeNumber = (state: number): boolean =>
  state === ZERO || state === INTEGER || state === FRACTION || state === EXPONENT_DIGITS;

const isDigit = (byte: number): boolean => byte >= DIGIT_0 && byte <= DIGIT_9;

/** Whether a byte is white space of JSON. */
export const isBlank = (byte: number): boolean =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

const notJson = (): JsonScanError => new JsonScanError('is not JSON');
