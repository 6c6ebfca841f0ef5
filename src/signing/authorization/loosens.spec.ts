import { RandomPolicies, randomFrom, type StoredPolicies } from '../../../test/support/random-policies';
import { rounds } from '../../../test/support/rounds';
import { TIGHTENINGS } from '../../../test/support/tightenings';
import { loosens } from '../../relayers/policies/loosening/loosens';
import { parsePolicies } from '../../relayers/policies/policies';
import { feeLimitsOf } from '../../transactions/processing/attempt-policies';
import { authorizeSignature, type SignatureSubject } from './authorize-signature';

const PAIRS = rounds(10_000, 2000);
const SUBJECTS_OF_A_PAIR = 40;
const TIGHTENED = rounds(10_000, 2000);

/** LOOSENS_SEED=… selects another seed. */
const SEED = Number(process.env.LOOSENS_SEED ?? 20261122);

function isAllowed(policies: StoredPolicies, subject: SignatureSubject): boolean {
  try {
    authorizeSignature({ policies, chainId: '1' }, subject);
    return true;
  } catch {
    return false;
  }
}

describe(`loosens, with the seed ${SEED}`, () => {
  const stackTraceLimit = Error.stackTraceLimit;

  beforeAll(() => {
    Error.stackTraceLimit = 0;
  });

  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  it(`is true whenever something new can be signed, for ${PAIRS} random pairs of policies`, () => {
    const random = new RandomPolicies(randomFrom(SEED));
    const found = { gained: 0, lost: 0, strict: 0 };
    for (let i = 0; i < PAIRS; i += 1) {
      const before = random.policies();
      // Most pairs differ in few members: pairs that differ in many almost always loosen one of them.
      const other = random.policies();
      const after = i % 3 === 0 ? other : { ...before, ...partOf(other, random) };
      const isLoose = loosens(before, after);
      if (!isLoose) found.strict += 1;
      for (let j = 0; j < SUBJECTS_OF_A_PAIR; j += 1) {
        const subject = random.subject();
        const [was, is] = [isAllowed(before, subject), isAllowed(after, subject)];
        if (was && !is) found.lost += 1;
        if (was || !is) continue;
        found.gained += 1;
        if (!isLoose) throw new Error(`Not loose, seed ${SEED}: ${describePair(before, after, subject)}`);
      }
    }
    // Otherwise the pairs prove nothing.
    expect(found.strict).toBeGreaterThan(PAIRS / 10);
    expect(found.gained).toBeGreaterThan(PAIRS);
    expect(found.lost).toBeGreaterThan(PAIRS);
  });

  it('is true whenever a limit is raised or removed, even if nothing can be signed afterwards', () => {
    const random = new RandomPolicies(randomFrom(SEED + 3));
    const found = { strict: 0, lifted: 0 };
    for (let i = 0; i < PAIRS; i += 1) {
      const before = random.policies();
      const after = { ...before, ...partOf(random.policies(), random) };
      const lifted = liftedLimits(before, after);
      if (lifted.length > 0) found.lifted += 1;
      if (loosens(before, after)) continue;
      found.strict += 1;
      if (lifted.length > 0)
        throw new Error(`Not loose, seed ${SEED}: ${lifted.join()} of ${describePair(before, after)}`);
    }
    // Otherwise the pairs prove nothing.
    expect(found.strict).toBeGreaterThan(PAIRS / 10);
    expect(found.lifted).toBeGreaterThan(PAIRS / 10);
  });

  it('is never true for a change that tightens', () => {
    const random = new RandomPolicies(randomFrom(SEED + 1));
    const applied = new Map<string, number>();
    for (let i = 0; i < TIGHTENED; i += 1) {
      const before = random.policies();
      let after = before;
      const names: string[] = [];
      for (let step = 0; step <= random.below(3); step += 1) {
        const name = random.one(Object.keys(TIGHTENINGS));
        const tightened = TIGHTENINGS[name]?.(after, random);
        if (!tightened) continue;
        names.push(name);
        applied.set(name, (applied.get(name) ?? 0) + 1);
        after = tightened;
      }
      if (loosens(before, after))
        throw new Error(`Loose, seed ${SEED}, by ${names.join(', ')}: ${describePair(before, after)}`);
    }
    expect([...applied.keys()].sort()).toEqual(Object.keys(TIGHTENINGS).sort());
  });

  it('is false for unchanged policies', () => {
    const random = new RandomPolicies(randomFrom(SEED + 2));
    for (let i = 0; i < 1000; i += 1) {
      const policies = random.policies();
      expect(loosens(policies, parsePolicies('evm', JSON.parse(JSON.stringify(policies)) as object))).toBe(
        false,
      );
    }
  });
});

const LIMITS = [
  ...(['max_value', 'max_fee', 'max_gas_limit', 'approval_above'] as const),
  ...(['allowed_methods', 'spend_limits'] as const),
];

/**
 * The limits that were raised or removed: those for the fees of what is signed already, and all that would be missing if
 * a later change allowed transactions again.
 */
function liftedLimits(before: StoredPolicies, after: StoredPolicies): string[] {
  const isAbove = (limit: bigint | undefined, old: bigint | undefined): boolean =>
    old !== undefined && (limit === undefined || limit > old);
  const fees = (['request', 'noop'] as const).filter((kind) => {
    const [was, is] = [feeLimitsOf(before, kind), feeLimitsOf(after, kind)];
    return isAbove(is.cap, was.cap) || isAbove(is.maxFee, was.maxFee);
  });
  const has = ({ transactions = {} }: StoredPolicies, name: (typeof LIMITS)[number]): boolean =>
    name === 'spend_limits' ? (transactions[name] ?? []).length > 0 : transactions[name] !== undefined;
  const removed = LIMITS.filter((name) => has(before, name) && !has(after, name));
  const receivers = before.whitelist_receivers && !after.whitelist_receivers ? ['whitelist_receivers'] : [];
  return [...fees, ...removed, ...receivers];
}

/** A random subset of the members. A member that is missing in `other` is removed. */
function partOf(other: StoredPolicies, random: RandomPolicies): StoredPolicies {
  const names = [...Object.keys(other), 'typed_data', 'messages', 'transactions'] as (keyof StoredPolicies)[];
  const name = random.one(names);
  return { [name]: other[name] };
}

const describePair = (before: StoredPolicies, after: StoredPolicies, subject?: SignatureSubject): string =>
  JSON.stringify({ before, after, subject }, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
