import { NotificationEntity } from './notifications/notification.entity';
import { RelayerEntity } from './relayers/relayer.entity';
import { SignerEntity } from './signers/signer.entity';

/** Every table of the service. */
export const ENTITIES = [SignerEntity, NotificationEntity, RelayerEntity];
