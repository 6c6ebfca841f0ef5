import { Logger } from '@nestjs/common';
import type { UnitOfWork } from '../../database/unit-of-work';
import type { NotificationEntity } from '../notification.entity';
import type { AttemptResult } from './attempt-result';
import type { DeliverySender, Message } from './delivery-sender';
import { FormerReceivers } from './former-receivers';
import type { Receivers } from './receivers';

const NOTIFICATION = { id: 'hook', url: 'http://former' } as NotificationEntity;
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
      { receiverOf: ({ id, url }: NotificationEntity) => ({ id, url }) } as unknown as Receivers,
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

  const sendOf = (id: string, url = 'http://former'): void => {
    former.send({ id, url } as NotificationEntity, 'notification_deleted', PAYLOAD);
  };

  it('get at most 100 attempts at the same time, 5 per host; others wait', async () => {
    const ends: (() => void)[] = [];
    outcome = () =>
      new Promise((resolve) =>
        ends.push(() => {
          resolve(result(null));
        }),
      );
    for (let i = 0; i < 7; i += 1) sendOf(`hanging-${i}`);
    await commit();
    expect(sent).toHaveLength(5);
    for (let i = 0; i < 100; i += 1) sendOf(`other-${i}`, `http://host-${i}`);
    await commit();
    expect(sent).toHaveLength(100);
    while (ends.length > 0) {
      ends.shift()!();
      await turn();
    }
    expect(sent).toHaveLength(107);
    expect(warn).not.toHaveBeenCalled();
  });

  it('wait no longer when the service stops', async () => {
    outcome = () => new Promise(() => undefined);
    for (let i = 0; i < 7; i += 1) sendOf(`hanging-${i}`);
    await commit();
    former.onModuleDestroy();
    await turn();
    const causes = warn.mock.calls.map(([, { notification, cause }]) => `${notification} ${cause}`);
    expect(causes).toEqual(['hanging-5 the service stopped', 'hanging-6 the service stopped']);
  });

  it('have at most 100 unfinished messages per host, and 1000 in all', async () => {
    outcome = () => new Promise(() => undefined);
    for (let i = 0; i < 1000; i += 1) sendOf(`hook-${i}`, `http://host-${i % 10}/${i}`);
    await commit();
    expect(() => {
      sendOf('hook', 'http://host-0/new');
    }).toThrow(
      expect.objectContaining({
        code: 'overloaded',
        detail: "too many former receivers at the host of notification 'hook' have not responded yet",
      }),
    );
    expect(() => {
      sendOf('hook', 'http://another');
    }).toThrow(
      expect.objectContaining({
        code: 'overloaded',
        detail: 'too many former receivers of notifications have not responded yet',
      }),
    );
    expect(commits).toEqual([]);
  });

  it('make room for others once they respond', async () => {
    for (let i = 0; i < 100; i += 1) sendOf('hook');
    await commit();
    expect(() => {
      sendOf('hook');
    }).not.toThrow();
  });
});
