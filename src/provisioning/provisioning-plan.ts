import type { CreateNotificationDto } from '../notifications/dto/create-notification.dto';
import type { NewRelayer } from '../relayers/relayers.service';
import type { PreparedSigner } from '../signers/signers.service';

/** A signer to store, its key already opened. */
export interface NewSigner extends PreparedSigner {
  id: string;
}

/** What a configuration file asks for and the database does not have yet. */
export interface ProvisioningPlan {
  signers: NewSigner[];
  notifications: CreateNotificationDto[];
  relayers: NewRelayer[];
}
