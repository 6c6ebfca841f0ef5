import type { Policies } from '../../relayers/policies/policies';
import type { LaneContext } from './lane-context';
import { isPrivate } from './private-sending';

const HEAD = 100;

const contextOf = (policies: Policies, privateFallbackBlocks: number | null) =>
  ({ relayer: { policies }, chain: { privateFallbackBlocks }, view: { head: HEAD } }) as LaneContext;

const isHidden = (policies: Policies, fallback: number | null, signedBlock: number | null): boolean =>
  isPrivate(contextOf(policies, fallback), { signedBlock });

describe('isPrivate', () => {
  it.each([{}, { private_transactions: false }])('returns false with the policies %j', (policies) => {
    expect(isHidden(policies, null, HEAD)).toBe(false);
    expect(isHidden(policies, null, null)).toBe(false);
  });

  it.each<[string, number | null, number | null, boolean]>([
    ['forever without a fallback', null, 1, true],
    ['before anything is signed', 5, null, true],
    ['in the block of the first attempt', 5, HEAD, true],
    ['one block too early', 5, 96, true],
    ['after as many blocks', 5, 95, false],
    ['long after', 5, 1, false],
    ['where the chain has lost blocks', 5, 2 * HEAD, true],
  ])('%s', (_when, fallback, signedBlock, expected) => {
    expect(isHidden({ private_transactions: true }, fallback, signedBlock)).toBe(expected);
  });
});
