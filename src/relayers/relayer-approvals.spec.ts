import { approvalKindsOfNew } from './relayer-approvals';

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
