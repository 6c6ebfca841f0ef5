import { hexlify, hashMessage, SigningKey } from 'ethers';
import { hashMessage as viemHashMessage } from 'viem';
import { SeededRandom } from '../../../test/support/seeded-random';
import {
  MAX_MESSAGE_BYTES,
  messageBytes,
  type MessageEncoding,
  personalMessageDigest,
} from './personal-message';

const digestOf = (message: string, encoding: MessageEncoding = 'utf8'): string =>
  hexlify(personalMessageDigest(messageBytes(message, encoding)));

describe('personalMessageDigest', () => {
  it.each([
    // web3.js, documentation of eth.accounts.sign
    ['Some data', '0x1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655'],
    // ethers, documentation of hashMessage
    ['Hello World', '0xa1de988600a42c4b4ab089b619297c17d53cffae5d5120d82d8a92d0bb3b78f2'],
    ['', '0x5f35dce98ba4fba25530a026ed80b2cecdaa31091ba4958b99b52ea1d068adad'],
  ])('returns the published digest of %j', (message, digest) => {
    expect(digestOf(message)).toBe(digest);
  });

  it('leads to the published signature', () => {
    const key = new SigningKey('0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318');
    expect(key.sign(digestOf('Some data')).serialized).toBe(
      '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
    );
  });

  it('agrees with ethers and viem on 500 random byte strings', () => {
    const random = new SeededRandom('bytes');
    for (let i = 0; i < 500; i += 1) {
      const bytes = random.bytes(random.below(300));
      const raw = `0x${bytes.toString('hex')}` as const;
      expect(digestOf(raw, 'hex')).toBe(hashMessage(bytes));
      expect(digestOf(raw, 'hex')).toBe(viemHashMessage({ raw }));
    }
  });

  it.each(['äöü', '漢字', '👩‍👩‍👧', 'a\u0000b', '\n', '0x42', 'x'.repeat(1000)])(
    'agrees with ethers and viem on the text %j',
    (text) => {
      expect(digestOf(text)).toBe(hashMessage(text));
      expect(digestOf(text)).toBe(viemHashMessage(text));
    },
  );
});

describe('messageBytes', () => {
  it.each(['0xdeadbeef', 'deadbeef', 'DEADBEEF', '0xDeAdBeEf'])('reads %s as the same four bytes', (hex) => {
    expect([...messageBytes(hex, 'hex')]).toEqual([0xde, 0xad, 0xbe, 0xef]);
  });

  it.each([
    ['', 'utf8'],
    ['', 'hex'],
    ['0x', 'hex'],
  ] as const)('reads %j in %s as no bytes', (message, encoding) => {
    expect(messageBytes(message, encoding)).toHaveLength(0);
  });

  it.each(['0', '0x0', 'abc', 'zz', '0xzz', '0X00', ' 00', '00 ', '0x0x00', 'äö'])(
    'refuses %j as hex',
    (hex) => {
      expect(() => messageBytes(hex, 'hex')).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          detail: 'message must be an even number of hex digits (optional 0x)',
        }),
      );
    },
  );

  it('refuses a string with an unpaired surrogate', () => {
    expect(() => messageBytes('a\ud800', 'utf8')).toThrow(
      expect.objectContaining({ code: 'invalid_request', detail: 'message holds an unpaired surrogate' }),
    );
  });

  it('limits the number of bytes, not characters', () => {
    const half = MAX_MESSAGE_BYTES / 2;
    expect(messageBytes('ä'.repeat(half), 'utf8')).toHaveLength(262_144);
    expect(messageBytes('ab'.repeat(MAX_MESSAGE_BYTES), 'hex')).toHaveLength(262_144);
    const refusal = expect.objectContaining({
      code: 'invalid_request',
      detail: 'message must not exceed 262144 bytes',
    });
    expect(() => messageBytes(`${'ä'.repeat(half)}a`, 'utf8')).toThrow(refusal);
    expect(() => messageBytes('ab'.repeat(MAX_MESSAGE_BYTES + 1), 'hex')).toThrow(refusal);
  });
});
