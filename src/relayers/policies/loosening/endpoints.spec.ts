import { randomFrom } from '../../../../test/support/random-policies';
import { rounds } from '../../../../test/support/rounds';
import type { RpcUrl } from '../../../networks/rpc-urls';
import type { EvmPolicies } from '../evm-policies.dto';
import { loosensEndpoints } from './endpoints';

const LIMITED: EvmPolicies = { transactions: { spend_limits: [{ per: '1h', max_value: 1 }] } };
const CHANGES = rounds(20_000, 4000);
/** LOOSENS_SEED=… selects another seed. */
const SEED = Number(process.env.LOOSENS_SEED ?? 20261122);

type List = RpcUrl[] | undefined;
type Row = [change: string, before: List, after: List];

const list = (urls: string, weight = 100): RpcUrl[] =>
  Array.from(urls, (name) => ({ url: `http://${name}.example`, weight }));

const LOOSENING: Row[] = [
  ['own endpoints instead of those of the network', undefined, list('a')],
  ['own endpoints instead of an empty list', [], list('a')],
  ['the endpoints of the network', list('a'), undefined],
  ['an empty list, for which those of the network are used', list('a'), []],
  ['another endpoint', list('a'), list('b')],
  ['a further endpoint', list('a'), list('ab')],
  ['fewer endpoints', list('abc'), list('ab')],
  ['the same number of other endpoints', list('abc'), list('abd')],
  ['an endpoint twice', list('abc'), list('abcc')],
  ['an endpoint that had the weight 0', [...list('a'), ...list('b', 0)], list('ab')],
  ['the weight 0 for an endpoint', list('ab'), [...list('a'), ...list('b', 0)]],
  ['no endpoint that is used', list('a'), list('a', 0)],
  ['an endpoint with another path', list('a'), [{ url: 'http://a.example/v2', weight: 100 }]],
];

const NOT_LOOSENING: Row[] = [
  ['the same list', list('ab'), list('ab')],
  ['another order', list('ab'), list('ba')],
  ['other weights', list('ab'), [...list('a', 1), ...list('b', 99)]],
  ['a further endpoint with the weight 0', list('a'), [...list('a'), ...list('b', 0)]],
  ['an empty list instead of none', undefined, []],
  ['none instead of an empty list', [], undefined],
];

describe('loosensEndpoints', () => {
  it.each(LOOSENING)('returns true for: %s', (_change, before, after) => {
    expect(loosensEndpoints(LIMITED, before, after)).toBe(true);
  });

  it.each(NOT_LOOSENING)('returns false for: %s', (_change, before, after) => {
    expect(loosensEndpoints(LIMITED, before, after)).toBe(false);
  });

  it('returns false for a relayer without spending limits, because nothing depends on its endpoints', () => {
    for (const policies of [{}, { transactions: { max_value: 1 } }, { transactions: { spend_limits: [] } }])
      for (const [, before, after] of LOOSENING)
        expect(loosensEndpoints(policies, before, after)).toBe(false);
  });

  it(`returns true whenever endpoints can decide together that could not before, with the seed ${SEED}`, () => {
    const random = randomFrom(SEED);
    const below = (limit: number): number => Math.floor(random() * limit);
    const NETWORK = list('xy');
    const names = ['a', 'b', 'c', 'x', 'y'];
    const randomList = (): List =>
      below(5) === 0
        ? undefined
        : Array.from({ length: below(5) }, () => list(names[below(names.length)]!, below(3))[0]!);
    const votersOf = (urls: List = []): string[] =>
      (urls.length === 0 ? NETWORK : urls).flatMap(({ url, weight }) => (weight > 0 ? [url] : []));
    /** At least half of the endpoints make a transaction final, see `agreedInclusions`. */
    const decide = (group: ReadonlySet<string>, voters: readonly string[]): boolean =>
      voters.length > 0 && 2 * voters.filter((url) => group.has(url)).length >= voters.length;
    const groups = Array.from(
      { length: 2 ** names.length },
      (_, bits) => new Set(list(names.filter((_name, i) => (bits >> i) & 1).join('')).map(({ url }) => url)),
    );
    const found = { gained: 0, strict: 0 };
    for (let i = 0; i < CHANGES; i += 1) {
      const before = randomList();
      // Otherwise nearly all changes would loosen.
      const after = below(3) === 0 ? reweighted(before, below) : randomList();
      const [was, is] = [votersOf(before), votersOf(after)];
      const hasGained = groups.some((group) => decide(group, is) && !decide(group, was));
      const isLoose = loosensEndpoints(LIMITED, before, after);
      if (hasGained) found.gained += 1;
      if (!isLoose) found.strict += 1;
      if (hasGained && !isLoose)
        throw new Error(`Not loose, seed ${SEED}: ${JSON.stringify({ before, after })}`);
    }
    // Otherwise the changes prove nothing.
    expect(found.gained).toBeGreaterThan(CHANGES / 10);
    expect(found.strict).toBeGreaterThan(CHANGES / 10);
  });
});

/** The same endpoints in the opposite order, with other weights. */
const reweighted = (urls: List, below: (limit: number) => number): List =>
  urls?.map(({ url, weight }) => ({ url, weight: weight > 0 ? 1 + below(100) : 0 })).reverse();
