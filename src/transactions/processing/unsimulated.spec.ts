import type { UnitOfWork } from '../../database/unit-of-work';
import { separateUnits } from '../../../test/support/separate-units';
import { newTransaction } from '../new-transaction';
import type { TransactionRows } from '../transaction-rows';
import { AttemptSigner } from './attempt-signer';
import type { LaneContext } from './lane-context';
import { LaneMemory } from './lane-memory';

const UNSIMULATED = { waits: 'Waiting: too few nodes could simulate', forFunds: false, forSimulation: true };
const EXPENSIVE = { waits: 'Waiting: the fees are at their limit', forFunds: false };
const MINUTE = 60_000;

/**
 * Drafts a transaction at each of these times.
 *
 * @param expensive when it could be simulated
 * @returns the times at which few endpoints were believed
 */
async function believedAt(times: readonly number[], expensive?: number): Promise<number[]> {
  const unitOfWork = { run: <T>(work: () => Promise<T>) => work() } as UnitOfWork;
  const rows = { change: () => Promise.resolve(null) } as unknown as TransactionRows;
  const none = {} as never;
  const signer = new AttemptSigner(unitOfWork, separateUnits, rows, none, none, none, none, none, none);
  const row = newTransaction({
    ...{ id: 't', accountId: 'a', relayerId: 'r', sender: '0x', nonce: 0, request: {} },
  });
  const time = { now: 0 };
  const memory = new LaneMemory(() => time.now);
  const believed: number[] = [];
  for (const [i, now] of times.entries()) {
    time.now = now;
    const draft = ({ believesFew }: { believesFew?: boolean }): Promise<object> => {
      if (believesFew) believed.push(now);
      return Promise.resolve(now === expensive ? EXPENSIVE : UNSIMULATED);
    };
    const context = {
      ...{ memory, relayer: { policies: {} }, readAt: Infinity, view: { head: 100 + i }, chain: { draft } },
    } as unknown as LaneContext;
    expect(await signer.sign(context, [row])).toEqual([]);
  }
  return believed;
}

describe('A transaction that too few endpoints can simulate', () => {
  it('is drafted by those that can after ten minutes without interruption', async () => {
    expect(await believedAt([0, 9 * MINUTE, 10 * MINUTE])).toEqual([10 * MINUTE]);
    expect(await believedAt([0, 9 * MINUTE, 10 * MINUTE], 9 * MINUTE)).toEqual([]);
  });
});
