/** Published keys of test vectors, examples and development chains, in hex: whoever searches finds them. */
const PUBLISHED = new Set([
  // NIST SP 800-38A, AES-256
  '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4',
  // GCM specification (McGrew and Viega), test cases 15 and 16
  'feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308',
  // accounts 0 to 2 of the development mnemonic of Hardhat, Anvil and Ganache
  'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
]);

/** Words of placeholders that were never replaced. */
const PLACEHOLDER =
  /change[-_]?me|changethis|example|placeholder|replace[-_]?(?:me|this)|your[-_]?(?:api|key|secret|token)|password|secret[-_]?key/i;

/** Fewer different bytes than this do not happen by chance in 32 random bytes, or in 32 random hex digits. */
const MIN_DISTINCT = { bytes: 12, text: 6 } as const;

/**
 * Why nobody can have drawn these bytes at random; undefined where they may be random. 32 random bytes are refused with a
 * probability below 2^-60.
 *
 * @returns words that follow the name of a variable, without any part of the key
 */
export function weaknessOfBytes(bytes: Uint8Array): string | undefined {
  if (PUBLISHED.has(Buffer.from(bytes).toString('hex'))) return 'must not be a key that was published';
  return weaknessOfPattern(bytes) ?? weaknessOfVariety(bytes, MIN_DISTINCT.bytes);
}

/** As {@link weaknessOfBytes}, for a text of printable ASCII, which may be the hex or the base64 of bytes. */
export function weaknessOfText(text: string): string | undefined {
  if (PLACEHOLDER.test(text)) return 'must be random, and not a placeholder';
  const bytes = Buffer.from(text, 'latin1');
  return (
    weaknessOfPattern(bytes) ??
    weaknessOfVariety(bytes, MIN_DISTINCT.text) ??
    decodings(text)
      .map((decoded) =>
        PUBLISHED.has(decoded.toString('hex')) ? weaknessOfBytes(decoded) : weaknessOfPattern(decoded),
      )
      .find((weakness) => weakness !== undefined)
  );
}

function weaknessOfPattern(bytes: Uint8Array): string | undefined {
  if (bytes.every((byte) => byte === bytes[0])) return 'must be random, and not one byte repeated';
  if (isRepeated(bytes)) return 'must be random, and not a pattern that repeats';
  return isSequence(bytes) ? 'must be random, and not a sequence' : undefined;
}

function weaknessOfVariety(bytes: Uint8Array, minimum: number): string | undefined {
  return new Set(bytes).size < minimum ? 'must be random, and not a few bytes in turn' : undefined;
}

/** Most steps from one byte to the next are the same, as in `abcdef…`, `2 4 6 …`, `fedcba…`, `aabbcc…`. */
function isSequence(bytes: Uint8Array): boolean {
  const counts = new Map<number, number>();
  for (let i = 1; i < bytes.length; i += 1) {
    const step = ((bytes[i] ?? 0) - (bytes[i - 1] ?? 0)) & 0xff;
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  return Math.max(...counts.values()) > (bytes.length - 1) / 2;
}

/** The bytes begin again after half of them or sooner. */
function isRepeated(bytes: Uint8Array): boolean {
  for (let period = 1; period <= bytes.length / 2; period += 1)
    if (bytes.every((byte, i) => i < period || byte === bytes[i - period])) return true;
  return false;
}

function decodings(text: string): Buffer[] {
  const isHex = /^(?:[0-9a-f]{2}){16,}$/i.test(text);
  const base64 = Buffer.from(text, 'base64');
  const isBase64 = base64.length >= 16 && base64.toString('base64') === text;
  return [...(isHex ? [Buffer.from(text, 'hex')] : []), ...(isBase64 ? [base64] : [])];
}
