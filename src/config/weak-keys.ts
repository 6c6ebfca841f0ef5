/** The keys of accounts 0 to 2 of the development mnemonic of Hardhat, Anvil and Ganache, in hex; they are public. */
const PUBLISHED = new Set([
  'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
]);

/**
 * Placeholders that people write in place of a key. The probability that a random key of 64 characters contains one by
 * chance is less than 10^-8.
 */
const PLACEHOLDER =
  /change[-_. ]?me|replace[-_. ]?(?:me|this)|place[-_. ]?holder|example|your[-_. ]?(?:api|root|secret|storage)?[-_. ]?key/i;

/** The longest repeated pattern that is detected: `deadbeef` as text, or any word of eight letters. */
const LONGEST_PATTERN = 8;

/**
 * Explains why these bytes cannot be random; undefined if they may be. Only certain cases are rejected: a repeated
 * byte, a sequence, a short repeated pattern, a published key, placeholder text.
 *
 * @returns a text to be put after the name of a variable, without any part of the key
 */
export function weaknessOfBytes(bytes: Uint8Array): string | undefined {
  if (PUBLISHED.has(Buffer.from(bytes).toString('hex'))) return 'must not be a key that was published';
  if (hasPeriod(bytes, 1)) return 'must be random, and not one byte repeated';
  if (isSequence(bytes)) return 'must be random, and not a sequence';
  for (let period = 2; period <= LONGEST_PATTERN; period += 1)
    if (hasPeriod(bytes, period)) return 'must be random, and not a pattern that repeats';
  return PLACEHOLDER.test(Buffer.from(bytes).toString('latin1'))
    ? 'must be random, and not a placeholder'
    : undefined;
}

/** Like {@link weaknessOfBytes}, for printable ASCII and for the bytes that it may encode in hex or base64. */
export function weaknessOfText(text: string): string | undefined {
  const readings = [Buffer.from(text, 'latin1'), ...decodings(text)];
  return readings.map(weaknessOfBytes).find((weakness) => weakness !== undefined);
}

function hasPeriod(bytes: Uint8Array, period: number): boolean {
  return bytes.every((byte, i) => i < period || byte === bytes[i - period]);
}

/** Whether all differences between neighbouring bytes are equal modulo 256, as in `abcdef…` or 255, 253, 251 …. */
function isSequence(bytes: Uint8Array): boolean {
  const step = (i: number): number => ((bytes[i] ?? 0) - (bytes[i - 1] ?? 0)) & 0xff;
  return bytes.every((_, i) => i < 2 || step(i) === step(1));
}

function decodings(text: string): Buffer[] {
  const isHex = /^(?:[0-9a-f]{2}){16,}$/i.test(text);
  // The digits are checked as well: `0123456789abcdef…` is a sequence of digits.
  const digits = isHex ? [Buffer.from(Array.from(text, (digit) => parseInt(digit, 16) << 4))] : [];
  const base64 = Buffer.from(text, 'base64');
  const isBase64 = base64.length >= 16 && base64.toString('base64') === text;
  return [...(isHex ? [Buffer.from(text, 'hex')] : []), ...digits, ...(isBase64 ? [base64] : [])];
}
