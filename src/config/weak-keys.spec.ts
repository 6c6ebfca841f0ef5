import { createHash, randomBytes } from 'node:crypto';
import { weaknessOfBytes, weaknessOfText } from './weak-keys';

const ONE = 'must be random, and not one byte repeated';
const SEQUENCE = 'must be random, and not a sequence';
const PATTERN = 'must be random, and not a pattern that repeats';
const FEW = 'must be random, and not a few bytes in turn';
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
    [
      'a sequence with another end',
      Buffer.concat([stepped(0, 1).subarray(0, 20), randomBytes(12)]),
      SEQUENCE,
    ],
    ['two bytes in turn', Buffer.from('a55a'.repeat(16), 'hex').subarray(0, 32), PATTERN],
    ['four bytes in turn', Buffer.from('deadbeef'.repeat(8), 'hex'), PATTERN],
    ['a word', Buffer.from('0123456789abcdef0123456789abcdef'), PATTERN],
    [
      '16 bytes twice',
      Buffer.concat(Array(2).fill(createHash('md5').update('a').digest()) as Buffer[]),
      PATTERN,
    ],
    [
      'eleven bytes mixed',
      Buffer.from('0309070206010a0508040b07020901060a030508040b02070601090a03050804', 'hex'),
      FEW,
    ],
    [
      'the key of NIST',
      Buffer.from('603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4', 'hex'),
      PUBLISHED,
    ],
    [
      'the key of Hardhat',
      Buffer.from('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80', 'hex'),
      PUBLISHED,
    ],
  ])('are bytes such as %s', (_name, bytes, weakness) => {
    expect(bytes).toHaveLength(32);
    expect(weaknessOfBytes(bytes)).toBe(weakness);
  });

  it.each([
    ['a'.repeat(40), ONE],
    ['abcdefghijklmnopqrstuvwxyz012345', SEQUENCE],
    ['00112233445566778899aabbccddeeff', SEQUENCE],
    ['12345678901234567890123456789012', PATTERN],
    ['k3y-k3y-k3y-k3y-k3y-k3y-k3y-k3y-', PATTERN],
    ['test-token-test-token-test-token-', PATTERN],
    ['aabbabbabaabbabababbabbaabababbab', FEW],
    [stepped(0, 1).toString('hex'), SEQUENCE],
    [stepped(0, 1).toString('base64'), SEQUENCE],
    [Buffer.alloc(32).toString('base64'), SEQUENCE],
    ['please-changeme-before-production-1', PLACEHOLDER],
    ['YOUR_API_KEY_WITH_32_CHARACTERS_OR_MORE', PLACEHOLDER],
    ['the-password-of-our-relayer-2026!', PLACEHOLDER],
    ['ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80', PUBLISHED],
  ])('are texts such as %s', (text, weakness) => {
    expect(weaknessOfText(text)).toBe(weakness);
  });

  it('are not random ones, in any spelling', () => {
    for (let i = 0; i < 2000; i += 1) {
      // The same keys at each run.
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
