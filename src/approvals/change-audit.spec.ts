import { ACTIONS, changeEntry, changeRequested } from './change-audit';
import type { ChangeEntity } from './change.entity';

const change = (more: Partial<ChangeEntity> = {}): ChangeEntity =>
  ({
    ...{ id: 'c', kinds: ['transaction'], operation: 'send_transaction', relayerId: 'r', requestedBy: 'k' },
    request: { transaction: { data: '0xc0ffee' } },
    ...{ needed: 1, approvals: [], status: 'pending', code: null },
    ...more,
  }) as unknown as ChangeEntity;

const approvals = [{ key_id: 'a', at: '2026-01-31T12:00:00.000Z' }];

describe('The audit entries of a change', () => {
  it('show of the request only what its operation allows', () => {
    expect(changeRequested(change(), { request_digest: 'ab' })).toEqual({
      action: 'change.request',
      relayerId: 'r',
      changes: {
        id: { before: null, after: 'c' },
        status: { before: null, after: 'pending' },
        operation: { before: null, after: 'send_transaction' },
        kinds: { before: null, after: ['transaction'] },
        requested_by: { before: null, after: 'k' },
        needed: { before: null, after: 1 },
        approvals: { before: null, after: [] },
        request: { before: null, after: { request_digest: 'ab' } },
      },
    });
  });

  it('show what an approval or the end has changed', () => {
    expect(changeEntry('change.approve', change(), change({ approvals })).changes).toEqual({
      id: { before: 'c', after: 'c' },
      approvals: { before: [], after: ['a'] },
    });
    expect(
      changeEntry(ACTIONS.applied, change({ approvals }), change({ approvals, status: 'applied' })),
    ).toEqual({
      action: 'change.apply',
      relayerId: 'r',
      code: null,
      changes: {
        id: { before: 'c', after: 'c' },
        status: { before: 'pending', after: 'applied' },
      },
    });
  });
});
