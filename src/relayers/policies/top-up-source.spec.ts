import { assertTopUpFromAnother, topUpSourceFault } from './top-up-source';

const RELAYER = { network: 'sepolia', networkType: 'evm' as const };

describe('The source of top-ups', () => {
  it('must be another relayer', () => {
    const policies = { top_up: { from_relayer: 'a', below: 1, to: 2 } };
    expect(() => {
      assertTopUpFromAnother('a', policies);
    }).toThrow(
      expect.objectContaining({ detail: 'policies.top_up.from_relayer must be another relayer' }) as Error,
    );
    assertTopUpFromAnother('b', policies);
    assertTopUpFromAnother('b', {});
  });

  it('must exist, and be on the same network', () => {
    expect(topUpSourceFault(RELAYER, { ...RELAYER })).toBeUndefined();
    expect(topUpSourceFault(RELAYER, null)).toMatch(/there is no such relayer/);
    expect(topUpSourceFault(RELAYER, { ...RELAYER, network: 'mainnet' })).toMatch(/on another network/);
    expect(topUpSourceFault(RELAYER, { ...RELAYER, networkType: 'solana' })).toMatch(/on another network/);
  });
});
