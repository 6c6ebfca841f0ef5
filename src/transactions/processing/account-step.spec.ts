import type { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../../config/app-config';
import { newTransaction } from '../new-transaction';
import type { TransactionEntity } from '../transaction.entity';
import type { TransactionRows } from '../transaction-rows';
import { AccountStep } from './account-step';
import type { AttemptSender } from './attempt-sender';
import type { AttemptSigner } from './attempt-signer';
import type { LaneContext } from './lane-context';
import { LaneMemory } from './lane-memory';
import type { OpenTransactions } from './open-transactions';
import type { Renewal } from './renewal';

const REASON = 'Waiting for transactions with lower nonces';

/** Three pending transactions, of which those from `signable` on cannot be signed now. */
class Account {
  readonly memory = new LaneMemory(() => 0);
  readonly changed: number[][] = [];
  rows: TransactionEntity[] = [0, 1, 2].map((nonce) =>
    newTransaction({
      ...{ id: `t${nonce}`, accountId: 'a', relayerId: 'r', sender: '0x', nonce, request: {} },
    }),
  );

  constructor(
    private readonly signable: number,
    private readonly isFrozen = false,
    private readonly fails = true,
  ) {}

  send(): Promise<boolean> {
    const none = {} as never;
    const sign = (_context: LaneContext, run: TransactionEntity[]) => {
      const next = run[this.signable];
      if (next && this.fails && !this.isFrozen) this.memory.failed(next.id);
      return Promise.resolve(run.slice(0, this.signable).map((row) => ({ row, raw: '0x' })));
    };
    const step = new AccountStep(
      { unsent: () => Promise.resolve(this.rows) } as unknown as OpenTransactions,
      none,
      { expire: (_context: LaneContext, rows: unknown) => Promise.resolve(rows) } as unknown as Renewal,
      { sign } as unknown as AttemptSigner,
      { send: () => Promise.resolve(true) } as unknown as AttemptSender,
      none,
      {
        explain: (rows: TransactionEntity[], reason: string) => this.explain(rows, reason),
      } as unknown as TransactionRows,
      { get: () => ({ maxInFlight: 64 }) } as unknown as ConfigService<AppConfig, true>,
    );
    const context = {
      ...{ memory: this.memory, isFrozen: this.isFrozen, relayer: {}, ledger: { address: '0x' } },
      ...{ view: { nonce: 0, reported: 0, head: 9 }, chain: { maxInFlight: () => Promise.resolve(64) } },
    } as unknown as LaneContext;
    return step.send(context);
  }

  private explain(rows: readonly TransactionEntity[], statusReason: string): Promise<void> {
    if (rows.length > 0) this.changed.push(rows.map(({ nonce }) => nonce));
    for (const row of rows) Object.assign(row, { statusReason });
    return Promise.resolve();
  }
}

describe('AccountStep', () => {
  it.each([
    ['the first', 0, [1, 2]],
    ['the second', 1, [2]],
  ])('stores once that transactions wait behind %s', async (_which, signable, behind) => {
    const account = new Account(signable);
    expect(await account.send()).toBe(false);
    expect(await account.send()).toBe(false);
    expect(account.changed).toEqual([behind]);
    expect(account.rows.map(({ statusReason }) => statusReason)).toEqual(
      account.rows.map(({ nonce }) => (behind.includes(nonce) ? REASON : null)),
    );
  });

  it('stores that transactions wait behind one that was accepted earlier', async () => {
    const account = new Account(0);
    const rows = account.rows;
    account.rows = rows.slice(0, 1);
    await account.send();
    account.rows = rows;
    await account.send();
    expect(account.changed).toEqual([[1, 2]]);
  });

  it('stores that transactions wait behind one that waits for the end of a freeze', async () => {
    const account = new Account(0, true);
    await account.send();
    await account.send();
    expect(account.changed).toEqual([[1, 2]]);
  });

  it('does not change reasons that are known, or transactions behind one that was abandoned', async () => {
    const account = new Account(0);
    Object.assign(account.rows[1]!, { statusReason: 'Canceled', abandonedAs: 'canceled' });
    await account.send();
    expect(account.changed).toEqual([[2]]);
    const abandoned = new Account(0, false, false);
    await abandoned.send();
    expect(abandoned.changed).toEqual([]);
  });
});
