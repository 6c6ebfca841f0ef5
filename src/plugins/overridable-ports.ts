import type { Abstract } from '@nestjs/common';
import { NotificationsApi } from '../notifications/notifications.api';
import { RelayersApi } from '../relayers/relayers.api';
import { SigningApi } from '../signing/signing.api';
import { TransactionsApi } from '../transactions/transactions.api';

/** The ports that the service's routes use and that a plugin may implement itself. */
export const OVERRIDABLE_PORTS = [SigningApi, RelayersApi, TransactionsApi, NotificationsApi] as const;

/** The methods of the ports, because an abstract class has none when the program runs. */
export const PORT_METHODS: ReadonlyMap<Abstract<unknown>, readonly string[]> = new Map<
  Abstract<unknown>,
  readonly string[]
>([
  [
    SigningApi,
    namesOf<SigningApi>({
      signTypedData: true,
      signTypedDataBatch: true,
      signMessage: true,
      signTransaction: true,
    }),
  ],
  [RelayersApi, namesOf<RelayersApi>({ list: true, get: true, create: true, update: true, delete: true })],
  [
    TransactionsApi,
    namesOf<TransactionsApi>({
      submit: true,
      submitBatch: true,
      list: true,
      get: true,
      getByNonce: true,
      listAttempts: true,
      waitFor: true,
      replace: true,
      cancel: true,
      cancelPending: true,
    }),
  ],
  [
    NotificationsApi,
    namesOf<NotificationsApi>({
      list: true,
      get: true,
      create: true,
      update: true,
      delete: true,
      record: true,
    }),
  ],
]);

/** An object, so that the compiler finds a method that is missing here. */
function namesOf<Port>(methods: Readonly<Record<keyof Port, true>>): readonly string[] {
  return Object.keys(methods);
}
