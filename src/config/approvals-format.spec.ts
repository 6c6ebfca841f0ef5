import { configOf, faultsOf, KEYS } from '../../test/support/environments';

const RULE =
  'APPROVALS must be a comma-separated list of <kind>=<1 to 10>, with the kinds ' +
  'loosen_policy, unpause, signer_delete, api_key_scope, unfreeze, transaction';

describe('APPROVALS', () => {
  const neededIn = (APPROVALS: string) => configOf({ APPROVALS }).approvals.needed;

  it('requires approval by default only for transactions above an amount', () => {
    expect(configOf({}).approvals).toEqual({ needed: { transaction: 1 }, expireMs: 86_400_000 });
  });

  it('is a number of approvals per kind', () => {
    expect(neededIn('loosen_policy=2, unpause=1,signer_delete=10')).toEqual({
      ...{ loosen_policy: 2, unpause: 1, signer_delete: 10 },
      transaction: 1,
    });
    expect(neededIn('transaction=3')).toEqual({ transaction: 3 });
  });

  it.each([
    'loosen=1',
    'loosen_policy',
    'loosen_policy=',
    'loosen_policy=0',
    'loosen_policy=11',
    'loosen_policy=1.5',
    'loosen_policy=-1',
    'loosen_policy=01',
    'LOOSEN_POLICY=1',
    'unpause=1,',
    'unpause=1;unfreeze=1',
    'toString=1',
  ])('may not be %j', (APPROVALS) => {
    expect(faultsOf({ ...KEYS, APPROVALS })).toEqual([RULE]);
  });

  it('must not contain a kind twice', () => {
    expect(faultsOf({ ...KEYS, APPROVALS: 'unpause=1,unfreeze=1,unpause=2' })).toEqual([
      'APPROVALS must not have unpause twice',
    ]);
  });

  it('expires changes after APPROVALS_EXPIRE_HOURS', () => {
    expect(configOf({ APPROVALS_EXPIRE_HOURS: '720' }).approvals.expireMs).toBe(720 * 3_600_000);
    for (const hours of ['0', '721', 'x'])
      expect(faultsOf({ ...KEYS, APPROVALS_EXPIRE_HOURS: hours })).toHaveLength(1);
  });
});
