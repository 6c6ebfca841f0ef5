import type { CreateNotificationDto } from '../notifications/dto/create-notification.dto';
import type { NewRelayer } from '../relayers/relayers.service';
import type { SignerMaterial } from '../signers/signer-provider';

/** A signer to store, its key already opened. */
export interface NewSigner {
  id: string;
  kind: string;
  material: SignerMaterial;
}

/** What a configuration file asks for and the database does not have yet. */
export interface ProvisioningPlan {
  signers: NewSigner[];
  notifications: CreateNotificationDto[];
  relayers: NewRelayer[];
}
