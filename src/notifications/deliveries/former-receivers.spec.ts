import { Logger } from '@nestjs/common';
import { Secret } from '../../common/secrets/secret';
import type { RowIntegrity } from '../../database/integrity/row-integrity';
import type { UnitOfWork } from '../../database/unit-of-work';
import { SecretCipher } from '../../secrets/secret-cipher';
import type { NotificationEvents } from '../events/notification-events';
import { NOTIFICATION_SIGNING_KEY, NOTIFICATION_URL, type NotificationEntity } from '../notification.entity';
import { FormerReceivers } from './former-receivers';

const PAYLOAD = { payload_type: 'notification_deleted', notification_id: 'hook' };
const COLUMNS = [NOTIFICATION_URL, NOTIFICATION_SIGNING_KEY];
const cipherOf = (byte: number): SecretCipher =>
  new SecretCipher([new Secret(Buffer.alloc(32, byte).toString('base64'))], COLUMNS);
const [CIPHER, LOST] = [cipherOf(1), cipherOf(2)];

/** `test/e2e/former-receivers.e2e.spec.ts` tests those that can be notified. */
describe('FormerReceivers', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const sealedBy = (cipher: SecretCipher, column: typeof NOTIFICATION_URL, text: string): string =>
    cipher.seal(new Secret(text), { ...column, row: 'hook' });

  it.each([
    ['URL', LOST, CIPHER],
    ['signing key', CIPHER, LOST],
  ])('are logged after the commit if their %s cannot be decrypted', async (_, ofUrl, ofKey) => {
    const commits: (() => void)[] = [];
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const former = new FormerReceivers(
      { afterCommit: (callback: () => void) => commits.push(callback) } as unknown as UnitOfWork,
      CIPHER,
      {} as NotificationEvents,
      {} as RowIntegrity,
    );
    const notification = {
      id: 'hook',
      url: sealedBy(ofUrl, NOTIFICATION_URL, 'https://former.example.com/token'),
      signingKey: sealedBy(ofKey, NOTIFICATION_SIGNING_KEY, 'the key'),
      previousSigningKey: null,
      previousKeyUntil: null,
    } as NotificationEntity;
    await former.record(notification, 'notification_deleted', PAYLOAD);
    expect(warn).not.toHaveBeenCalled();
    for (const callback of commits) callback();
    expect(warn.mock.calls).toEqual([
      [
        'A former receiver cannot be notified',
        {
          notification: 'hook',
          event: 'notification_deleted',
          cause: 'its URL or signing key cannot be decrypted',
        },
      ],
    ]);
  });
});
