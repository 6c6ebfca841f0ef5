import { setTimeout as sleep } from 'node:timers/promises';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { AccountLedger } from '../../src/transactions/accepting/account-ledger';
import { describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import { SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';

const EACH = 5;
const MAX_ROUNDS = 10;

describeWithAnvil('Concurrent requests of several accounts', () => {
  describeService('Accounts that are accepted together', ({ service }) => {
    let chain: TestChain;
    let accounts: SendingAccount[];

    beforeAll(async () => {
      chain = await TestChain.start();
      accounts = [];
      for (let i = 0; i < 3; i += 1) accounts.push(await SendingAccount.add(service, chain));
    });

    afterEach(() => jest.restoreAllMocks());

    afterAll(() => chain.stop());

    const statuses = (): Promise<number[][]> =>
      Promise.all(
        accounts.map((account) =>
          Promise.all(Array.from({ length: EACH }, async () => (await account.request()).status)),
        ),
      );

    /** Calls `before` with the address of each ledger that is locked. */
    const whenLocked = (before: (address: string) => unknown): void => {
      const ledger = service.app.get(AccountLedger);
      const lockAll = ledger.lockAll.bind(ledger);
      jest.spyOn(ledger, 'lockAll').mockImplementation(async (accounts) => {
        for (const { account } of accounts) await before(account.address);
        return lockAll(accounts);
      });
    };

    it('share a database transaction, and get nonces in order for each account', async () => {
      const addresses = new Map<unknown, Set<string>>();
      whenLocked((address) => {
        // Requests that arrive while the first is stored form the next group.
        const delay = sleep(addresses.size === 0 ? 300 : 0);
        const { manager } = service.app.get(UnitOfWork);
        addresses.set(manager, (addresses.get(manager) ?? new Set()).add(address));
        return delay;
      });
      const areShared = (): boolean => [...addresses.values()].some(({ size }) => size > 1);
      // On a busy machine, the others may arrive too late, or the worker may hold the locks of their ledgers.
      for (let round = 1; !areShared() && round <= MAX_ROUNDS; round += 1) {
        addresses.clear();
        const next = await Promise.all(accounts.map((account) => account.nextNonce()));
        expect(await statuses()).toEqual(accounts.map(() => Array<number>(EACH).fill(201)));
        expect(await Promise.all(accounts.map((account) => account.nextNonce()))).toEqual(
          next.map((nonce) => nonce + EACH),
        );
      }
      expect(areShared()).toBe(true);
    });

    it('do not fail because of an account whose requests cannot be stored', async () => {
      const [broken] = accounts;
      whenLocked((address) => {
        if (address === broken?.relayer.address) throw new Error('on purpose');
      });
      const [ofBroken, ...ofOthers] = await statuses();
      expect(ofBroken).toEqual(Array<number>(EACH).fill(500));
      expect(ofOthers).toEqual(ofOthers.map(() => Array<number>(EACH).fill(201)));
    });
  });
});
