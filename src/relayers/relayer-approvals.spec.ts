import { approvalKindsOf, approvalKindsOfNew } from './relayer-approvals';

describe('approvalKindsOf', () => {
  const before = {
    ...{ networkType: 'evm' as const, paused: false, group: null },
    policies: { transactions: { spend_limits: [{ per: '1h' as const, max_value: 5 }] } },
  };
  const lower = { transactions: { spend_limits: [{ per: '1h' as const, max_value: 4 }] } };
  const own = { before: undefined, after: [{ url: 'http://own', weight: 1 }] };
  const same = { before: own.after, after: own.after };

  it('names other endpoints of a relayer with spending limits, even if the same change lowers these', () => {
    expect(approvalKindsOf(before, {}, own)).toEqual(['loosen_policy']);
    expect(approvalKindsOf(before, { policies: lower }, own)).toEqual(['loosen_policy']);
    expect(approvalKindsOf(before, { policies: lower }, same)).toEqual([]);
    expect(approvalKindsOf(before, { policies: lower })).toEqual([]);
  });

  it('does not name endpoints of a relayer that gets its first spending limits with the same change', () => {
    expect(approvalKindsOf({ ...before, policies: {} }, { policies: lower }, own)).toEqual([]);
  });

  it('names nothing that concerns relayers that sign nothing', () => {
    expect(approvalKindsOf({ ...before, networkType: 'solana' }, { policies: {} }, own)).toEqual([]);
  });
});

describe('approvalKindsOfNew', () => {
  it.each([
    [{ group: null, paused: true }, false, ['loosen_policy']],
    [{ group: null, paused: false }, false, ['loosen_policy', 'unpause']],
    [{ group: 'payouts', paused: true }, false, ['loosen_policy', 'api_key_scope']],
    [{ group: null, paused: true }, true, ['loosen_policy', 'api_key_scope']],
    [{ group: 'payouts', paused: false }, true, ['loosen_policy', 'unpause', 'api_key_scope']],
  ])('returns the kinds of %j, named by a key: %s', (relayer, isNamed, kinds) => {
    expect(approvalKindsOfNew(relayer, isNamed)).toEqual(kinds);
  });
});
