import { type Account, accountId } from '../account-nonce.entity';
import { KnownNonces } from '../lanes/known-nonces';
import type { Chain } from '../processing/lane-context';
import { AccountFloors } from './account-floors';
import type { AccountLedger } from './account-ledger';

const ACCOUNT: Account = { networkType: 'evm', chainId: '1', address: '0x1' };

/** Floors of an account whose ledger is lowered while the first endpoint responds. */
function floorsOf(reported: number, agreed: number) {
  const ledger = { nextNonce: 1_000_000, lowerings: 0 };
  const known = new KnownNonces();
  const floors = new AccountFloors(
    { find: () => Promise.resolve({ ...ledger }) } as unknown as AccountLedger,
    known,
  );
  let reads = 0;
  const chain = {
    read: () => {
      if ((reads += 1) === 1) Object.assign(ledger, { nextNonce: 3, lowerings: 1 });
      return Promise.resolve({ nonce: reported });
    },
    agreedNonce: () => Promise.resolve(agreed),
  } as unknown as Chain;
  return { known, read: () => floors.read(ACCOUNT, chain), of: () => floors.of(ACCOUNT, chain) };
}

describe('AccountFloors', () => {
  it('does not take a nonce for newer than the lowering of the ledger during which it was read', async () => {
    const { read, of } = floorsOf(1_000_000, 3);
    expect(await of()).toEqual({ nonce: 1_000_000, lowerings: 0 });
    expect(await of()).toEqual({ nonce: 1_000_000, lowerings: 0 });
    expect(await read()).toEqual({ nonce: 3, lowerings: 1 });
    expect(await of()).toEqual({ nonce: 3, lowerings: 1 });
  });

  it('uses what a lane has seen', async () => {
    const { known, of } = floorsOf(1_000_000, 3);
    known.set(accountId(ACCOUNT), { nonce: 2, lowerings: 1 });
    expect(await of()).toEqual({ nonce: 2, lowerings: 1 });
  });
});
