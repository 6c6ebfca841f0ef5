import type { NewNetwork } from '../../networks/new-network';
import type { CreateNotificationDto } from '../../notifications/dto/create-notification.dto';
import type { NewRelayer } from '../../relayers/new-relayer';
import type { PreparedSigner } from '../../signers/opening/signer-preparation';

/** A signer to store, which has already been tested. */
export interface NewSigner extends PreparedSigner {
  id: string;
}

export interface NetworkPlan {
  /** All networks in the configuration file, including existing ones. */
  configured: NewNetwork[];
  create: NewNetwork[];
  /** Existing networks of which only the name is known. */
  complete: NewNetwork[];
  /** The ids of the built-in networks that this plan adds to the database. */
  seeds: string[];
}

/** Everything in a configuration file that the database does not contain yet. */
export interface ProvisioningPlan {
  networks: NetworkPlan;
  signers: NewSigner[];
  notifications: CreateNotificationDto[];
  relayers: NewRelayer[];
  /** The ids of relayers that were deleted and that only a request may create again, because that needs approval. */
  withheld: string[];
}

/** Overwrites the keys and credentials of a plan that has been carried out or abandoned. */
export function destroySecrets({ signers }: ProvisioningPlan): void {
  for (const { material } of signers) material.secret?.destroy();
}

/** Runs a planning step. A fault in the item at `place` is collected, and the result is then empty. */
export type Attempt = <T>(place: string, work: () => Promise<T | undefined>) => Promise<T[]>;
