import { encodeRlp as ethersEncodeRlp } from 'ethers';
import { SeededRandom } from '../../../test/support/seeded-random';
import { decodeRlp, encodeRlp, integerBytes, type RlpItem } from './rlp';
import { rounds } from '../../../test/support/rounds';

const hex = (item: RlpItem): string => encodeRlp(item).toString('hex');

describe('RLP', () => {
  // Examples from the Ethereum documentation.
  it.each<[string, RlpItem, string]>([
    ['"dog"', Buffer.from('dog'), '83646f67'],
    ['["cat", "dog"]', [Buffer.from('cat'), Buffer.from('dog')], 'c88363617483646f67'],
    ['nothing', Buffer.alloc(0), '80'],
    ['the empty list', [], 'c0'],
    ['byte 0', Buffer.of(0), '00'],
    ['byte 15', Buffer.of(15), '0f'],
    ['1024', integerBytes(1024n), '820400'],
    ['lists of lists', [[], [[]], [[], [[]]]], 'c7c0c1c0c3c0c1c0'],
    [
      'a sentence',
      Buffer.from('Lorem ipsum dolor sit amet, consectetur adipisicing elit'),
      'b8384c6f72656d20697073756d20646f6c6f722073697420616d65742c20636f6e7365637465747572206164697069736963696e6720656c6974',
    ],
  ])('encodes %s as published, and decodes it again', (_what, item, expected) => {
    expect(hex(item)).toBe(expected);
    expect(decodeRlp(Buffer.from(expected, 'hex'))).toEqual(item);
  });

  it('encodes random items as ethers does, and decodes them again', () => {
    const random = new SeededRandom('rlp');
    const some = (depth: number): RlpItem =>
      depth === 0 || random.below(2) === 0
        ? random.bytes(random.below(70))
        : random.list(6, () => some(depth - 1));
    const forEthers = (item: RlpItem): Parameters<typeof ethersEncodeRlp>[0] =>
      Buffer.isBuffer(item) ? item : item.map(forEthers);
    for (let i = 0; i < rounds(500, 100); i += 1) {
      const item = some(4);
      expect(`0x${hex(item)}`).toBe(ethersEncodeRlp(forEthers(item)));
      expect(decodeRlp(encodeRlp(item))).toEqual(item);
    }
  });

  it.each([55, 56, 255, 256, 65_535, 65_536])(
    'encodes %d bytes as ethers does, and decodes them again',
    (length) => {
      const bytes = Buffer.alloc(length, 0xab);
      expect(`0x${hex(bytes)}`).toBe(ethersEncodeRlp(bytes));
      expect(decodeRlp(encodeRlp(bytes))).toEqual(bytes);
    },
  );

  it.each([
    ['more items than a transaction', `f92710${'01'.repeat(10_000)}`],
    ['nothing', ''],
    ['too few bytes', '83646f'],
    ['bytes after the end', '8000'],
    ['a list that ends early', 'c2c1'],
    ['an item that goes beyond its list', 'c28363617474'],
    ['a length that is missing', 'b9'],
    ['a length beyond the bytes', 'bbffffffff'],
    ['a length of eight bytes', 'bfffffffffffffffff'],
    ['five levels of lists', 'c4c3c2c1c0'],
  ])('does not decode %s', (_what, encoded) => {
    expect(decodeRlp(Buffer.from(encoded, 'hex'))).toBeUndefined();
  });

  it('does not decode 65000 levels of lists, without a stack overflow', () => {
    const levels: Buffer[] = [];
    let length = 0;
    for (let i = 0; i < 65_000; i += 1) {
      const size = integerBytes(BigInt(length));
      const head =
        length <= 55 ? Buffer.of(0xc0 + length) : Buffer.concat([Buffer.of(0xf7 + size.length), size]);
      levels.push(head);
      length += head.length;
    }
    expect(decodeRlp(Buffer.concat(levels.reverse()))).toBeUndefined();
  });
});
