import { Transaction, Wallet } from 'ethers';
import { readTransaction } from '../transaction/unsigned-transaction';
import { AuthorizationBudget, isAuthorizedBy, isSignedForm } from './signed-transaction';

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

describe('isSignedForm', () => {
  const access = [{ address: OTHER.address, storage_keys: [`0x${'00'.repeat(32)}`] }];
  const CONTENT = { chain_id: '5', nonce: '7', to: OTHER.address, value: '9', data: '0x1234' };
  const FEES = { gas_limit: '50000', max_fee_per_gas: '20', max_priority_fee_per_gas: '10' };
  const subject = (changes: object = {}) => readTransaction({ type: 2, ...CONTENT, ...FEES, ...changes });
  const bytesOf = (wallet: Wallet, changes: object = {}): string => {
    const transaction = Transaction.from({
      ...{ type: 2, chainId: 5, nonce: 7, to: OTHER.address, value: 9, data: '0x1234' },
      ...{ gasLimit: 60_000, maxFeePerGas: 30, maxPriorityFeePerGas: 15, ...changes },
    });
    transaction.signature = wallet.signingKey.sign(transaction.unsignedHash);
    return transaction.serialized;
  };
  const AUTHORIZATION = OTHER.authorizeSync({ address: OTHER.address, nonce: 1, chainId: 5 });
  const AUTHORIZED = { type: 4, authorizationList: [AUTHORIZATION] };
  const { r, s, yParity } = AUTHORIZATION.signature;
  const authorization = { address: OTHER.address, nonce: '1', chain_id: '5', y_parity: yParity, r, s };
  const AUTHORIZED_REQUEST = { type: 4, authorization_list: [authorization] };
  const KEYS = Array.from({ length: 3900 }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`);
  const LARGE = { access_list: [{ address: OTHER.address, storage_keys: KEYS }] };
  const LEGACY = { type: 0, maxFeePerGas: null, maxPriorityFeePerGas: null, gasPrice: 5 };

  it.each([
    ['with other gas and fees', bytesOf(OWNER), {}, true],
    ['with a gas price', bytesOf(OWNER, LEGACY), {}, true],
    [
      'with its access list',
      bytesOf(OWNER, { accessList: [[OTHER.address, [`0x${'00'.repeat(32)}`]]] }),
      { access_list: access },
      true,
    ],
    ['without its access list', bytesOf(OWNER), { access_list: access }, false],
    ['of another account', bytesOf(OTHER), {}, false],
    ['with another nonce', bytesOf(OWNER, { nonce: 8 }), {}, false],
    ['for another chain', bytesOf(OWNER, { chainId: 6 }), {}, false],
    ['with another receiver', bytesOf(OWNER, { to: OWNER.address }), {}, false],
    ['with another value', bytesOf(OWNER, { value: 8 }), {}, false],
    ['with other data', bytesOf(OWNER, { data: '0x' }), {}, false],
    ['that is not signed', Transaction.from(bytesOf(OWNER)).unsignedSerialized, {}, false],
    ['that is none', '0x1234', {}, false],
    ['with trailing bytes', `${bytesOf(OWNER)}00`, {}, false],
    ['with an authorization', bytesOf(OWNER, AUTHORIZED), AUTHORIZED_REQUEST, true],
    ['without its authorization', bytesOf(OWNER), AUTHORIZED_REQUEST, false],
    ['with a large access list', bytesOf(OWNER, { accessList: [[OTHER.address, KEYS]] }), LARGE, true],
  ])('compares a transaction %s', (_what, raw, changes, is) => {
    expect(isSignedForm(raw, OWNER.address, subject(changes))).toBe(is);
  });
});
