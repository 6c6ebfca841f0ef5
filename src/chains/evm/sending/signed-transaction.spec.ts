import { Wallet } from 'ethers';
import { AuthorizationBudget, isAuthorizedBy } from './signed-transaction';

const OWNER = new Wallet(`0x${'11'.repeat(32)}`);
const OTHER = new Wallet(`0x${'22'.repeat(32)}`);
const TARGET = { address: OWNER.address, nonce: 7, chainId: '5' };

const signedBy = (wallet: Wallet, chainId = 5, nonce = 7): object => {
  const { address, signature } = wallet.authorizeSync({ address: OTHER.address, nonce, chainId });
  const { r, s, yParity } = signature;
  return {
    ...{ address, nonce: `0x${nonce}`, chainId: `0x${chainId}` },
    ...{ r, s, yParity: `0x${yParity}` },
  };
};

describe('isAuthorizedBy', () => {
  it.each([
    ['one of the account', [signedBy(OWNER)], true],
    ['one of the account for every chain', [signedBy(OTHER), signedBy(OWNER, 0)], true],
    ['one of another account', [signedBy(OTHER)], false],
    ['one for another chain', [signedBy(OWNER, 6)], false],
    ['one with another nonce', [signedBy(OWNER, 5, 8)], false],
    ['nothing that it can be', [null, 1, {}, { ...signedBy(OWNER), r: '0x0' }], false],
  ])('for a list with %s returns %j', (_what, list, is) => {
    expect(isAuthorizedBy(list, TARGET, new AuthorizationBudget())).toBe(is);
  });

  it('checks at most 25 authorizations per search, in any number of lists', () => {
    const budget = new AuthorizationBudget();
    const foreign = Array<object>(12).fill(signedBy(OTHER));
    for (const list of [foreign, foreign]) expect(isAuthorizedBy(list, TARGET, budget)).toBe(false);
    expect(isAuthorizedBy([signedBy(OTHER), signedBy(OWNER)], TARGET, budget)).toBe(false);
    expect(isAuthorizedBy([signedBy(OWNER)], TARGET, budget)).toBe(false);
  });
});
