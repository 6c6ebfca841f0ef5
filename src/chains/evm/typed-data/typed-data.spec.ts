import { TypedDataEncoder } from 'ethers';
import { hashTypedData as viemHash } from 'viem';
import { generateTypedData } from '../../../../test/support/typed-data/generated';
import { VECTORS } from '../../../../test/support/typed-data/vectors';
import { EventLoopTurns } from '../../../common/event-loop/event-loop-turns';
import { hashTypedData, type RawTypedData } from './typed-data';
import { rounds } from '../../../../test/support/rounds';

const turns = new EventLoopTurns();
const digestOf = async (data: RawTypedData): Promise<string> =>
  `0x${Buffer.from((await turns.run(hashTypedData(data))).digest).toString('hex')}`;

const GENERATED = rounds(600, 100);

describe('hashTypedData', () => {
  it.each(VECTORS)('hashes $title to its known digest', async ({ data, digest }) => {
    expect(await digestOf(data)).toBe(digest);
  });

  it('agrees with ethers and with viem on 600 generated sets of types', async () => {
    for (let seed = 1; seed <= GENERATED; seed += 1) {
      const data = generateTypedData(seed);
      const { domain, types, message } = data as never as Record<string, never>;
      const digest = await digestOf(data);
      expect([seed, TypedDataEncoder.hash(domain!, types!, message!)]).toEqual([seed, digest]);
      expect([seed, viemHash(data as never)]).toEqual([seed, digest]);
    }
  });

  it('generates types of every kind', () => {
    const texts = Array.from({ length: GENERATED }, (_, i) => JSON.stringify(generateTypedData(i + 1).types));
    for (const kind of [
      '"address"',
      '"bool[]"',
      '"bytes"',
      '"string"',
      '"int8"',
      '"uint256"',
      '"T1[]',
      '[2]',
    ]) {
      expect(texts.some((text) => text.includes(kind))).toBe(true);
    }
    expect(new Set(texts).size).toBeGreaterThan((GENERATED * 5) / 6);
  });
});
