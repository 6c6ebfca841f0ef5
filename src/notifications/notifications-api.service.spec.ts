import type { OngoingAccess } from '../access/ongoing-access';
import { registerEvents } from './events/notification-event';
import type { NotificationEvents } from './events/notification-events';
import type { PluginEventRecord } from './notifications.api';
import { NotificationsApiService } from './notifications-api.service';
import type { NotificationsService } from './notifications.service';

describe('NotificationsApiService', () => {
  const recordForSubscribers = jest.fn().mockResolvedValue(undefined);
  const api = new NotificationsApiService(
    {} as NotificationsService,
    { recordForSubscribers } as unknown as NotificationEvents,
    {} as OngoingAccess,
  );
  const event = 'acme-specs.note';
  const ofLength = (length: number) => ({
    payload_type: 'note',
    text: 'x'.repeat(length - '{"payload_type":"note","text":""}'.length),
  });

  beforeAll(() => {
    registerEvents([event]);
  });

  beforeEach(() => recordForSubscribers.mockClear());

  it('records an event of a plugin with the longest payload', async () => {
    const payload = ofLength(65_536);
    await api.record({ event, payload, relayerId: 'r' });
    expect(recordForSubscribers).toHaveBeenCalledWith(event, payload, { relayerId: 'r' });
  });

  it.each([
    ['No plugin declares the event acme-specs.other', { event: 'acme-specs.other', payload: ofLength(64) }],
    [
      'The payload of acme-specs.note is longer than 65536 characters of JSON',
      { event, payload: ofLength(65_537) },
    ],
    ['The payload of acme-specs.note must be an object with a payload_type', { event, payload: null }],
    [
      'The payload of acme-specs.note must be an object with a payload_type',
      { event, payload: { text: '' } },
    ],
    [
      'The relayerId of acme-specs.note must match ',
      { event, payload: ofLength(64), relayerId: 'r'.repeat(100) },
    ],
  ] as const)('refuses another one: %s', async (message, record) => {
    await expect(api.record(record as PluginEventRecord)).rejects.toThrow(message);
    expect(recordForSubscribers).not.toHaveBeenCalled();
  });
});
