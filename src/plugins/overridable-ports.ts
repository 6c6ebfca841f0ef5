import { NotificationsApi } from '../notifications/notifications.api';
import { RelayersApi } from '../relayers/relayers.api';
import { SigningApi } from '../signing/signing.api';
import { TransactionsApi } from '../transactions/transactions.api';

/** The ports that the service's routes use and that a plugin may implement itself. */
export const OVERRIDABLE_PORTS = [SigningApi, RelayersApi, TransactionsApi, NotificationsApi] as const;
