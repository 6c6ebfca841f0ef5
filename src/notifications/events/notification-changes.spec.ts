import { Secret } from '../../common/secrets/secret';
import type { SecretCipher } from '../../secrets/secret-cipher';
import type { FormerReceivers } from '../deliveries/former-receivers';
import { NotificationEntity } from '../notification.entity';
import { NotificationChanges } from './notification-changes';
import type { NotificationEvent } from './notification-event';
import type { NotificationEvents } from './notification-events';

type EventList = NotificationEvent[] | null;

describe('NotificationChanges', () => {
  const withEvents = (events: EventList): NotificationEntity =>
    Object.assign(new NotificationEntity(), { id: 'n', url: 'https://here', signingKey: null, events });

  it.each<[string, EventList, EventList, boolean]>([
    ['an event', ['relayer_deleted', 'relayer_update'], ['relayer_deleted'], true],
    ['an event of a plugin', ['relayer_update', 'acme.entry_booked'], ['relayer_update'], true],
    ['an event of a plugin, by the default list', ['acme.entry_booked'], null, true],
    ['nothing', ['relayer_update'], ['relayer_update', 'acme.entry_booked'], false],
    [
      'nothing but its order',
      ['acme.entry_booked', 'relayer_deleted'],
      ['relayer_deleted', 'acme.entry_booked'],
      false,
    ],
  ])('handles an event list that lost %s', async (_, before, after, isTold) => {
    const record = jest.fn(() => Promise.resolve([]));
    const changes = new NotificationChanges(
      { open: (text: string) => new Secret(text) } as unknown as SecretCipher,
      { record } as unknown as NotificationEvents,
      {} as FormerReceivers,
    );
    await changes.updated(withEvents(before), withEvents(after));
    expect(record).toHaveBeenCalledTimes(isTold ? 1 : 0);
    if (isTold)
      expect(record).toHaveBeenCalledWith('n', 'notification_update', [
        expect.objectContaining({ changed: ['events'] }),
      ]);
  });

  const LATER = new Date(Date.now() + 3_600_000);

  it.each<[string, (string | null)[], (string | null)[], Date, boolean]>([
    ['is replaced and still signs', ['k1', null], ['k2', 'k1'], LATER, false],
    ['is replaced and no longer signs', ['k1', null], ['k2', 'k1'], new Date(0), true],
    ['was replaced and no longer signs after another replacement', ['k2', 'k1'], ['k3', 'k2'], LATER, true],
    ['is removed', ['k1', null], [null, null], LATER, true],
  ])(
    'notifies a former receiver only if its key no longer signs: it %s',
    async (_, before, after, until, isTold) => {
      const record = jest.fn();
      const changes = new NotificationChanges(
        { open: (text: string) => new Secret(text) } as unknown as SecretCipher,
        { record: () => Promise.resolve([]) } as unknown as NotificationEvents,
        { record } as unknown as FormerReceivers,
      );
      const withKeys = ([signingKey, previousSigningKey]: (string | null)[]): NotificationEntity =>
        Object.assign(withEvents(null), {
          signingKey,
          previousSigningKey,
          previousKeyUntil: previousSigningKey === null ? null : until,
        });
      await changes.updated(withKeys(before), withKeys(after));
      expect(record).toHaveBeenCalledTimes(isTold ? 1 : 0);
    },
  );
});
