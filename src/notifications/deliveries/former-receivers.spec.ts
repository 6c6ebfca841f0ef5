import { Logger } from '@nestjs/common';
import type { UnitOfWork } from '../../database/unit-of-work';
import type { NotificationEntity } from '../notification.entity';
import type { AttemptResult } from './attempt-result';
import type { DeliverySender, Message } from './delivery-sender';
import { FormerReceivers } from './former-receivers';
import type { Receivers } from './receivers';

const NOTIFICATION = { id: 'hook' } as NotificationEntity;
const PAYLOAD = { payload_type: 'notification_deleted' };
const result = (failure: AttemptResult['failure']) => ({ failure }) as AttemptResult;

const turn = () => new Promise((resolve) => setTimeout(resolve, 10));

describe('FormerReceivers', () => {
  let sent: Message[];
  let commits: (() => void)[];
  let outcome: () => Promise<AttemptResult>;
  let former: FormerReceivers;
  let warn: jest.SpyInstance;

  beforeEach(() => {
    sent = [];
    commits = [];
    outcome = () => Promise.resolve(result(null));
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    former = new FormerReceivers(
      { afterCommit: (callback: () => void) => commits.push(callback) } as unknown as UnitOfWork,
      { receiverOf: ({ id }: NotificationEntity) => ({ id, url: 'http://former' }) } as unknown as Receivers,
      {
        send: (message: Message) => {
          sent.push(message);
          return outcome();
        },
      } as unknown as DeliverySender,
    );
  });

  afterEach(() => {
    former.onModuleDestroy();
    jest.restoreAllMocks();
  });

  const commit = async (): Promise<void> => {
    for (const callback of commits.splice(0)) callback();
    await turn();
  };

  it('receive the event after the commit, not before', async () => {
    former.send(NOTIFICATION, 'notification_deleted', PAYLOAD);
    await turn();
    expect(sent).toEqual([]);
    await commit();
    expect(sent).toMatchObject([
      {
        notificationId: 'hook',
        event: 'notification_deleted',
        payload: PAYLOAD,
        notification: { url: 'http://former' },
      },
    ]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('are logged if they have not accepted the event when the service stops', async () => {
    outcome = () => Promise.resolve(result('status'));
    former.send(NOTIFICATION, 'notification_deleted', PAYLOAD);
    await commit();
    expect(sent).toHaveLength(1);
    former.onModuleDestroy();
    await turn();
    expect(warn).toHaveBeenCalledWith('A former receiver did not accept an event', {
      notification: 'hook',
      event: 'notification_deleted',
      cause: 'the service stopped',
    });
  });

  it('are sent at most 100 events at the same time', async () => {
    outcome = () => new Promise(() => undefined);
    for (let i = 0; i < 103; i += 1) former.send(NOTIFICATION, 'notification_deleted', PAYLOAD);
    await commit();
    expect(sent).toHaveLength(100);
    expect(warn.mock.calls.map(([, { cause }]) => cause as string)).toEqual(
      Array(3).fill('too many such messages'),
    );
  });
});
