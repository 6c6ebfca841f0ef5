import { NetworkSeedEntity } from './networks/network-seed.entity';
import { NetworkEntity } from './networks/network.entity';
import { NotificationEventEntity } from './notifications/notification-event.entity';
import { NotificationEntity } from './notifications/notification.entity';
import { RelayerEntity } from './relayers/relayer.entity';
import { SignerEntity } from './signers/signer.entity';

/** Every table of the service. */
export const ENTITIES = [
  SignerEntity,
  NotificationEntity,
  NotificationEventEntity,
  NetworkEntity,
  NetworkSeedEntity,
  RelayerEntity,
];
