import { hash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Secret } from '../../common/secrets/secret';
import { toBase62 } from './base62';

/** Excludes letters that look like a digit or another letter. */
const ID_ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';
const ID_LENGTH = 12;
/** The length of 32 random bytes in base 62. */
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** The form of every key, which secret scanners can search for. */
const FORM = new RegExp(
  `^rk_([${ID_ALPHABET}]{${ID_LENGTH}})_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`,
);

/** Generates an id. It has 58 random bits, so collisions are practically impossible. */
export const newApiKeyId = (): string =>
  Array.from({ length: ID_LENGTH }, () => ID_ALPHABET[randomInt(ID_ALPHABET.length)]).join('');

/**
 * Generates the text of a key, `rk_<id>_<secret>`. The secret is 256 random bits and the CRC-32 of everything before
 * it, both in base 62, so that typing errors are detected without the database.
 */
export function newApiKeyText(id: string): Secret {
  const random = BigInt(`0x${randomBytes(32).toString('hex')}`);
  const text = `rk_${id}_${toBase62(random, RANDOM_LENGTH)}`;
  return new Secret(text + checksumOf(text));
}

/** The id in the text of a key; undefined for anything else, or if the checksum is wrong. */
export function apiKeyIdOf(text: string): string | undefined {
  const [, id] = FORM.exec(text) ?? [];
  return id !== undefined && text.endsWith(checksumOf(text.slice(0, -CHECKSUM_LENGTH))) ? id : undefined;
}

/** The stored hash of a key: SHA-256 in hex. The text has 256 random bits, so it needs neither salt nor a slow hash. */
export const hashOfApiKey = (text: string): string => hash('sha256', text);

const checksumOf = (text: string): string => toBase62(BigInt(crc32(text)), CHECKSUM_LENGTH);
