import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import { type Account, type AccountNonceEntity, accountId } from '../account-nonce.entity';
import { KnownNonces } from '../lanes/known-nonces';
import type { Chain } from '../processing/lane-context';
import { AccountFloors, holdsFor } from './account-floors';
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

describe('AccountFloors.read', () => {
  /** @param ledger undefined for an account without one */
  const read = (
    ledger: { nextNonce: number; lowerings: number } | undefined,
    nonce: number | Error,
    agreed: number | Error,
  ) => {
    const respond = (response: object | number | Error) =>
      response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
    const chain = {
      read: () => respond(nonce instanceof Error ? nonce : { nonce }),
      agreedNonce: () => respond(agreed),
    } as unknown as Chain;
    const floors = new AccountFloors(
      { find: () => Promise.resolve(ledger ?? null) } as unknown as AccountLedger,
      new KnownNonces(),
    );
    return floors.read(ACCOUNT, chain);
  };
  const LEDGER = { nextNonce: 5, lowerings: 2 };
  const DOWN = new RpcUnavailableError('timeout');

  it.each([
    ['is below the ledger', LEDGER, 4, 0, { nonce: 4, lowerings: 2 }],
    ['is at the ledger', LEDGER, 5, 0, { nonce: 5, lowerings: 2 }],
    ['is above it, as most endpoints report', LEDGER, 9, 9, { nonce: 9, lowerings: 2 }],
    ['is above it, as one endpoint reports', LEDGER, 9, 6, { nonce: 6, lowerings: 2 }],
    ['is above it, but other endpoints do not respond', LEDGER, 9, DOWN, { nonce: 0, lowerings: 2 }],
    ['is that of a new account, as most endpoints report', undefined, 1, 1, { nonce: 1, lowerings: 0 }],
    ['is that of a new account, as one endpoint reports', undefined, 1, 0, { nonce: 0, lowerings: 0 }],
    ['is unknown', LEDGER, DOWN, 9, { nonce: 0, lowerings: 0 }],
  ])('lets no single endpoint raise the nonce: it %s', async (_what, ledger, nonce, agreed, floor) => {
    expect(await read(ledger, nonce, agreed)).toEqual(floor);
  });
});

describe('holdsFor', () => {
  it.each([
    ['at the ledger, from before it was lowered', { nonce: 5, lowerings: 1 }, true],
    ['below the ledger, from before it was lowered', { nonce: 4, lowerings: 1 }, true],
    ['above the ledger, from before it was lowered', { nonce: 6, lowerings: 1 }, false],
    ['above the ledger, read since then', { nonce: 6, lowerings: 2 }, true],
  ])('a floor %s', (_what, floor, holds) => {
    expect(holdsFor(floor, { nextNonce: 5, lowerings: 2 } as AccountNonceEntity)).toBe(holds);
  });
});
