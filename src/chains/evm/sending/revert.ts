import type { JsonRpcError } from '../../rpc/json-rpc';

/** Why an execution failed. */
export interface Revert {
  reason: string;
  /** The contract's return data, as `0x` and hex digits; null if it is too long to be returned. */
  data: string | null;
}

const MAX_REASON_CHARACTERS = 1024;
const MAX_DATA_DIGITS = 64 * 1024;
/** Longer messages are truncated before a reason is extracted. */
const MAX_MESSAGE_CHARACTERS = 4096;

/** Excludes the message with which zkSync nodes report a failure before the contract runs. */
const REVERT = /(?<!validation )revert/i;
/** The EVM stopped without a revert, as it does at assertions in old contracts, and if created code is too large. */
const HALT = new RegExp(
  [
    'invalid (opcode|jump|instruction|code:)|bad instruction|stack (under|over)flow|stack limit reached',
    'write protection|return data out of bounds|max code size exceeded|contract address collision',
    '(vm|evm) execution error|evm error|transaction execution fails',
  ].join('|'),
  'i',
);

/** The selector of `Error(string)`. */
const ERROR = '08c379a0';
/** The selector of `Panic(uint256)`. */
const PANIC = '4e487b71';

/** From the Solidity documentation, "Panic via assert and Error via require". */
const PANICS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic panic of the compiler'],
  [0x01n, 'assertion failed'],
  [0x11n, 'arithmetic overflow or underflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'invalid value of an enum'],
  [0x22n, 'incorrectly encoded byte array in storage'],
  [0x31n, 'pop of an empty array'],
  [0x32n, 'array index out of bounds'],
  [0x41n, 'too much memory or too large an array'],
  [0x51n, 'call of an uninitialized function'],
]);

/**
 * Parses an error of `eth_call` or `eth_estimateGas` for an execution that failed in a contract. The contract chooses
 * the text and the data, so characters that control a terminal or the direction of text are replaced, the reason is
 * limited to 1024 characters, and data of more than 64 KiB of hex digits is left out.
 *
 * @returns undefined if nothing was executed, for example because of insufficient funds
 */
export function revertOf({ code, message, data: attached }: JsonRpcError): Revert | undefined {
  const hex = hexIn(attached) ?? '';
  const text = message.slice(0, MAX_MESSAGE_CHARACTERS);
  const isRevert = REVERT.test(text) || HALT.test(text) || (code === 3 && hex.length >= 8);
  if (!isRevert && !isReverted(attached)) return undefined;
  const reason = decoded(hex) ?? saidIn(text);
  // Cut off, it would look complete.
  const data = hex.length > MAX_DATA_DIGITS ? null : `0x${hex}`;
  return { reason: shortened(printable(reason)), data };
}

/** Nethermind and OpenEthereum put this text into the data, before the return data. */
const isReverted = (data: unknown): boolean => typeof data === 'string' && REVERT.test(data.slice(0, 64));

/** The return data, without `0x`: the data itself, after "Reverted", or inside an object (Hardhat, Ganache). */
function hexIn(data: unknown, depth = 0): string | undefined {
  if (typeof data === 'string') {
    const digits = /^(?:Reverted )?0x([0-9a-fA-F]*)$/.exec(data)?.[1]?.toLowerCase();
    return digits !== undefined && digits.length % 2 === 0 ? digits : undefined;
  }
  if (typeof data !== 'object' || data === null || depth === 2) return undefined;
  const { data: inner, result, originalError } = data as Record<string, unknown>;
  return hexIn(inner, depth + 1) ?? hexIn(result, depth + 1) ?? hexIn(originalError, depth + 1);
}

function decoded(hex: string): string | undefined {
  if (hex.length < 8) return undefined;
  const selector = hex.slice(0, 8);
  const meaning = selector === ERROR ? textIn(hex) : selector === PANIC ? panicIn(hex) : undefined;
  return meaning ?? `custom error 0x${selector}`;
}

/** The ABI-encoded string after the selector; undefined if it is empty, or if offset or length are invalid. */
function textIn(hex: string): string | undefined {
  const bytes = Buffer.from(hex.slice(8), 'hex');
  const offset = lengthAt(bytes, 0);
  const length = offset === undefined ? undefined : lengthAt(bytes, offset);
  if (offset === undefined || !length || offset + 32 + length > bytes.length) return undefined;
  return bytes.toString('utf8', offset + 32, offset + 32 + Math.min(length, 4 * MAX_REASON_CHARACTERS));
}

/** The word at a position, if it can be an offset or a length. */
function lengthAt(bytes: Buffer, position: number): number | undefined {
  if (position + 32 > bytes.length) return undefined;
  const word = BigInt(`0x${bytes.toString('hex', position, position + 32)}`);
  return word <= BigInt(bytes.length) ? Number(word) : undefined;
}

function panicIn(hex: string): string | undefined {
  if (hex.length < 8 + 64) return undefined;
  const code = BigInt(`0x${hex.slice(8, 8 + 64)}`);
  const name = `Panic(0x${code.toString(16).padStart(2, '0')})`;
  const meaning = PANICS.get(code);
  return meaning === undefined ? name : `${name}: ${meaning}`;
}

/** The reason as the node words it. */
function saidIn(text: string): string {
  const quoted = /reverted with reason string '(.*)'/s.exec(text)?.[1];
  const said = quoted ?? /(?:execution reverted|transaction: revert)[: ]+(.+)/is.exec(text)?.[1] ?? text;
  return said.trim() || 'execution reverted';
}

/** Replaces control characters, invisible characters that change how a text is displayed, and unpaired surrogates. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd');

/** Truncates without splitting a surrogate pair. */
const shortened = (text: string): string =>
  text.slice(0, MAX_REASON_CHARACTERS).replace(/[\ud800-\udbff]$/, '');
