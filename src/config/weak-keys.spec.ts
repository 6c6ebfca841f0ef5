import { createHash } from 'node:crypto';
import { weaknessOfBytes, weaknessOfText } from './weak-keys';
import { rounds } from '../../test/support/rounds';

const ONE = 'must be random, and not one byte repeated';
const SEQUENCE = 'must be random, and not a sequence';
const PATTERN = 'must be random, and not a pattern that repeats';
const PLACEHOLDER = 'must be random, and not a placeholder';
const PUBLISHED = 'must not be a key that was published';

const stepped = (start: number, step: number): Buffer =>
  Buffer.from(Array.from({ length: 32 }, (_, i) => (start + i * step) & 0xff));

describe('Weak keys', () => {
  it.each([
    ['zeros', Buffer.alloc(32), ONE],
    ['ones', Buffer.alloc(32, 0xff), ONE],
    ['a letter', Buffer.alloc(32, 'x'), ONE],
    ['0, 1, 2, …', stepped(0, 1), SEQUENCE],
    ['255, 254, …', stepped(255, -1), SEQUENCE],
    ['200, 201, … past 255', stepped(200, 1), SEQUENCE],
    ['0x00 0x11 0x22 …', stepped(0, 0x11), SEQUENCE],
    ['two alternating bytes', Buffer.from('a55a'.repeat(16), 'hex').subarray(0, 32), PATTERN],
    ['a repeated pattern of four bytes', Buffer.from('deadbeef'.repeat(8), 'hex'), PATTERN],
    [
      'a published key of Hardhat',
      Buffer.from('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80', 'hex'),
      PUBLISHED,
    ],
    ['a placeholder', Buffer.from('CHANGE ME before you deploy this'), PLACEHOLDER],
  ])('include bytes such as %s', (_name, bytes, weakness) => {
    expect(bytes).toHaveLength(32);
    expect(weaknessOfBytes(bytes)).toBe(weakness);
  });

  it.each([
    ['a'.repeat(40), ONE],
    [Buffer.from(stepped(0x40, 1)).toString('latin1'), SEQUENCE],
    ['00112233445566778899aabbccddeeff', SEQUENCE],
    ['0123456789abcdef0123456789abcdef', PATTERN],
    ['FEDCBA9876543210FEDCBA9876543210', PATTERN],
    ['changeme'.repeat(4), PATTERN],
    ['k3y-k3y-k3y-k3y-k3y-k3y-k3y-k3y-', PATTERN],
    [stepped(0, 1).toString('hex'), SEQUENCE],
    [stepped(0, 1).toString('base64'), SEQUENCE],
    [Buffer.alloc(32).toString('base64'), ONE],
    ['ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80', PUBLISHED],
    ['change-me-please-0123456789-0123456789', PLACEHOLDER],
    ['ChangeMe_ThisIsNotARealKey_ForProduction', PLACEHOLDER],
    ['replace_this_with_openssl_rand_hex_32', PLACEHOLDER],
    ['your-api-key-of-at-least-32-characters', PLACEHOLDER],
    ['yourkey-goes-here-and-must-be-so-long-12', PLACEHOLDER],
    ['wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', PLACEHOLDER],
    [Buffer.from('a placeholder of 32 bytes, really').toString('base64'), PLACEHOLDER],
  ])('include texts such as %s', (text, weakness) => {
    expect(weaknessOfText(text)).toBe(weakness);
  });

  it.each(['k-0123456789-0123456789-0123456789', 'a-password-that-somebody-made-up-2026'])(
    'do not include doubtful texts: %s',
    (text) => {
      expect(weaknessOfText(text)).toBeUndefined();
    },
  );

  it('do not include random keys, in any encoding', () => {
    for (let i = 0; i < rounds(2000, 200); i += 1) {
      // The same keys in each run.
      const bytes = createHash('sha256').update(`key ${i}`).digest();
      expect(weaknessOfBytes(bytes)).toBeUndefined();
      const half = bytes.subarray(0, 16);
      for (const text of [
        bytes.toString('hex'),
        bytes.toString('base64'),
        bytes.toString('base64url'),
        half.toString('hex'),
      ])
        expect(weaknessOfText(text)).toBeUndefined();
      expect(weaknessOfText(`relayer-prod-${half.toString('hex')}`)).toBeUndefined();
    }
  });
});
