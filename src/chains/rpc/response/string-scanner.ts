import { hexValueOf } from '../../../common/validation/hex-digit';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** `" \ / b f n r t`: characters that may follow a backslash, apart from `u`. */
const SIMPLE_ESCAPES = new Set(Buffer.from('"\\/bfnrt'));

/** What is expected next. */
const CLOSED = 0;
const TEXT = 1;
const ESCAPE = 2;
const HEX = 3;
/** The backslash and the `u` of the second half of a surrogate pair. */
const SECOND_BACKSLASH = 4;
const SECOND_U = 5;
/** A continuation byte of a UTF-8 character. */
const CONTINUATION = 6;

/**
 * Checks a JSON string (RFC 8259, section 7) byte by byte: escapes, paired surrogates, well-formed UTF-8 (RFC 3629).
 * The string may arrive in pieces.
 */
export class StringScanner {
  private state = CLOSED;
  private hexLeft = 0;
  private code = 0;
  private isSecond = false;
  private continuations = 0;
  private lowest = 0;
  private highest = 0;

  get isClosed(): boolean {
    return this.state === CLOSED;
  }

  /** The opening quote was seen. */
  open(): void {
    this.state = TEXT;
  }

  /** @returns the position after the closing quote or at the end of the piece; -1 if the string is invalid */
  scan(piece: Buffer, start: number): number {
    let position = start;
    while (position < piece.length) {
      if (this.state === TEXT) position = skipPlain(piece, position);
      const byte = piece[position];
      if (byte === undefined) return position;
      if (!this.accepts(byte)) return -1;
      position += 1;
      if (this.state === CLOSED) return position;
    }
    return position;
  }

  private accepts(byte: number): boolean {
    switch (this.state) {
      case TEXT:
        return this.acceptsText(byte);
      case ESCAPE:
        this.state = byte === LETTER_U ? this.beginHex(false) : TEXT;
        return byte === LETTER_U || SIMPLE_ESCAPES.has(byte);
      case HEX:
        return this.acceptsHex(byte);
      case SECOND_BACKSLASH:
        this.state = SECOND_U;
        return byte === BACKSLASH;
      case SECOND_U:
        this.state = this.beginHex(true);
        return byte === LETTER_U;
      default:
        return this.acceptsContinuation(byte);
    }
  }

  private acceptsText(byte: number): boolean {
    if (byte === QUOTE) this.state = CLOSED;
    else if (byte === BACKSLASH) this.state = ESCAPE;
    else if (byte >= 0x80) return this.beginCharacter(byte);
    else return byte >= 0x20;
    return true;
  }

  private beginHex(isSecond: boolean): number {
    this.isSecond = isSecond;
    this.hexLeft = 4;
    this.code = 0;
    return HEX;
  }

  private acceptsHex(byte: number): boolean {
    const digit = hexValueOf(byte);
    if (digit < 0) return false;
    this.code = this.code * 16 + digit;
    this.hexLeft -= 1;
    if (this.hexLeft > 0) return true;
    const isHigh = this.code >= 0xd800 && this.code <= 0xdbff;
    const isLow = this.code >= 0xdc00 && this.code <= 0xdfff;
    this.state = isHigh ? SECOND_BACKSLASH : TEXT;
    return this.isSecond === isLow && !(this.isSecond && isHigh);
  }

  /** The table of RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF. */
  private beginCharacter(byte: number): boolean {
    if (byte < 0xc2 || byte > 0xf4) return false;
    this.continuations = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    this.lowest = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    this.highest = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
    this.state = CONTINUATION;
    return true;
  }

  private acceptsContinuation(byte: number): boolean {
    if (byte < this.lowest || byte > this.highest) return false;
    this.lowest = 0x80;
    this.highest = 0xbf;
    this.continuations -= 1;
    if (this.continuations === 0) this.state = TEXT;
    return true;
  }
}

/** The position of the next byte that is not plain ASCII text. */
function skipPlain(piece: Buffer, start: number): number {
  let position = start;
  while (position < piece.length) {
    const byte = piece[position] ?? QUOTE;
    if (byte === QUOTE || byte === BACKSLASH || byte < 0x20 || byte >= 0x80) break;
    position += 1;
  }
  return position;
}
