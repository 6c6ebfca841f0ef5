import { NOTIFICATION_EVENTS, type NotificationEvent, wants } from './notification-event';

describe('wants', () => {
  it.each<[NotificationEvent[] | null, NotificationEvent[]]>([
    [null, ['relayer_state_update', 'relayer_update', 'relayer_low_balance', 'transaction_update', 'test']],
    [['relayer_update'], ['relayer_update', 'test']],
    [['signature_created'], ['signature_created', 'test']],
    [['relayer_low_balance'], ['relayer_low_balance', 'test']],
    [
      ['signature_created', 'relayer_state_update'],
      ['relayer_state_update', 'signature_created', 'test'],
    ],
  ])('for %j is true of %j alone', (events, wanted) => {
    expect(NOTIFICATION_EVENTS.filter((event) => wants(events, event))).toEqual(wanted);
  });
});
