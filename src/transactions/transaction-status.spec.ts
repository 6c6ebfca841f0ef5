import { isFinal, isLegal, isUnmined, OPEN, TRANSACTION_STATUSES } from './transaction-status';

describe('The states of a transaction', () => {
  it('have only the transitions of the specification', () => {
    const next = TRANSACTION_STATUSES.map((from) => [
      from,
      TRANSACTION_STATUSES.filter((to) => isLegal(from, to)),
    ]);
    expect(Object.fromEntries(next)).toEqual({
      pending: ['pending', 'sent', 'failed', 'canceled', 'expired'],
      sent: ['pending', 'sent', 'submitted', 'mined', 'confirmed', 'failed', 'canceled', 'expired'],
      submitted: ['pending', 'submitted', 'mined', 'confirmed', 'failed', 'canceled', 'expired'],
      mined: ['submitted', 'mined', 'confirmed', 'failed', 'canceled', 'expired'],
      confirmed: [],
      failed: [],
      canceled: [],
      expired: [],
    });
  });

  it('are either open or final', () => {
    expect(TRANSACTION_STATUSES.filter((status) => !isFinal(status))).toEqual(OPEN);
    expect(TRANSACTION_STATUSES.filter((status) => isUnmined(status))).toEqual([
      'pending',
      'sent',
      'submitted',
    ]);
  });
});
