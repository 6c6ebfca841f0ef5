import type { AttemptContent, Inclusion } from '../../chains/transaction-chain';
import type { SharedUnits } from '../../database/shared-units';
import { separateUnits } from '../../../test/support/separate-units';
import { newTransaction } from '../new-transaction';
import type { SpendLimits } from '../spending/spend-limits';
import type { Decision, TransactionRows } from '../transaction-rows';
import { isLegal } from '../transaction-status';
import type { TransactionEntity } from '../transaction.entity';
import type { LaneContext } from './lane-context';
import { LaneMemory } from './lane-memory';
import { TransactionWatch } from './transaction-watch';

const INCLUSION: Inclusion = {
  ...{ hash: '0x1', block_number: 50, block_hash: '0xb', succeeded: true },
  ...{ gas_used: '21000', fee: '1' },
};
const ATTEMPT = { hash: '0x1', kind: 'request', value: '1' } as AttemptContent;

describe('TransactionWatch', () => {
  it('records that an earlier attempt of a transaction whose nonce was taken is mined after all', async () => {
    const stored: TransactionEntity[] = [];
    const rows = {
      attemptsOf: () => Promise.resolve([{ hash: '0x1', content: ATTEMPT }]),
      bytesOf: () => Promise.resolve(null),
      changeAll: (decisions: Decision[]) => {
        const changed = decisions.map(({ row, changes }) => {
          const status = changes.status ?? row.status;
          if (!isLegal(row.status, status)) throw new Error(`From ${row.status} to ${status}`);
          return Object.assign(newTransaction(row), changes);
        });
        stored.push(...changed);
        return Promise.resolve(changed);
      },
    } as unknown as TransactionRows;
    let units = 0;
    const counted = {
      of: (store: (items: readonly unknown[]) => Promise<readonly unknown[]>) =>
        separateUnits.of((items) => {
          units += 1;
          return store(items);
        }),
    } as SharedUnits;
    const none = {} as never;
    const spending = { settle: () => Promise.resolve() } as unknown as SpendLimits;
    const watch = new TransactionWatch(counted, rows, spending, none, none);
    const context = {
      ...{ memory: new LaneMemory(), view: { head: 100, nonce: 2, reported: 2 } },
      ...{ ledger: { address: '0x' }, relayer: { id: 'r' } },
      chain: {
        inclusions: () => Promise.resolve(new Map([['0x1', INCLUSION]])),
        inclusionsOfHalf: () => Promise.resolve([]),
      },
    } as unknown as LaneContext;
    // It has not been signed with its second nonce, which was taken as well.
    const row = newTransaction({
      ...{ id: 't', accountId: 'a', relayerId: 'r', sender: '0x', nonce: 1, request: {}, hashes: ['0x1'] },
      statusReason: 'Nonce 0 was used by another transaction',
    });
    const read = (_limit: number, after: number) => Promise.resolve(after < 1 ? [row] : []);
    await watch.findMined(context, read);
    expect(stored.map(({ status }) => status)).toEqual(['sent', 'mined']);
    expect(stored[0]).toMatchObject({ attempt: ATTEMPT, needsAttempt: false, statusReason: null });
    expect(stored[1]).toMatchObject({ attempt: ATTEMPT, needsAttempt: false, inclusion: INCLUSION });
    // If the receipt disappears, the attempt must not be sent for the second nonce: see the step after a reorganization.
    expect(units).toBe(1);
  });
});
