import type { UnitOfWork } from '../database/unit-of-work';
import { ChangeEntity } from './change.entity';
import { ChangeRows } from './change-rows';

describe('ChangeRows', () => {
  it('considers a change applied only once its unit of work is committed', async () => {
    const afterCommits: (() => void)[] = [];
    const unitOfWork = {
      afterCommit: (callback: () => void) => afterCommits.push(callback),
    } as unknown as UnitOfWork;
    const none = {
      record: () => undefined,
      notify: () => undefined,
      recheck: () => undefined,
      get: () => ({ expireMs: 1 }),
    } as never;
    const approvers = { countValid: () => Promise.resolve(1) } as never;
    const changes = new ChangeRows(unitOfWork, none, approvers, none, none, none, none, none);
    const change = Object.assign(new ChangeEntity(), {
      ...{ id: 'c', kinds: [], base: 'b', status: 'pending', approvals: [] },
      expiresAt: new Date(Date.now() + 60_000),
    });
    const update = (row: ChangeEntity, end: object) => Promise.resolve(Object.assign(row, end));
    Object.assign(changes, { rows: { findToChange: () => Promise.resolve(change), update } });

    const approved = { id: 'c', approvedBy: 'k', scope: 'relayers:write' as const, isApplied: false };
    await changes.apply(approved, { base: 'b' }, 1);
    expect(approved.isApplied).toBe(false);
    for (const callback of afterCommits) callback();
    expect(approved.isApplied).toBe(true);
  });
});
