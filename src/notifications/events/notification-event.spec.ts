import { NOTIFICATION_EVENTS, type NotificationEvent, wants } from './notification-event';

describe('wants', () => {
  it.each<[NotificationEvent[] | null, NotificationEvent[]]>([
    [
      null,
      [
        'relayer_state_update',
        'relayer_update',
        'relayer_low_balance',
        'relayer_nonce_repaired',
        'relayer_deleted',
        'transaction_update',
      ],
    ],
    [['relayer_update'], ['relayer_update']],
    [['signature_created'], ['signature_created']],
    [['relayer_low_balance'], ['relayer_low_balance']],
    [['signer_deleted'], ['signer_deleted']],
    [['change_update'], ['change_update']],
    [
      ['signature_created', 'relayer_state_update'],
      ['relayer_state_update', 'signature_created'],
    ],
  ])('with %j returns true for %j, and for the events of every notification', (events, wanted) => {
    const all = [...wanted, 'notification_update', 'notification_deleted', 'test'];
    expect(NOTIFICATION_EVENTS.filter((event) => wants(events, event))).toEqual(all);
  });
});
