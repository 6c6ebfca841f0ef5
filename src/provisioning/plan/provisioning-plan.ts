import type { NewNetwork } from '../../networks/new-network';
import type { CreateNotificationDto } from '../../notifications/dto/create-notification.dto';
import type { NewRelayer } from '../../relayers/relayers.service';
import type { PreparedSigner } from '../../signers/opening/signer-preparation';

/** A signer to store, its key already opened. */
export interface NewSigner extends PreparedSigner {
  id: string;
}

export interface NetworkPlan {
  /** All networks of the configuration file, those that are there already included. */
  configured: NewNetwork[];
  create: NewNetwork[];
  /** There already, but nothing is known of them except their names. */
  complete: NewNetwork[];
  /** Ids of the built-in networks that the database is given with this plan. */
  seeds: string[];
}

/** What a configuration file asks for and the database does not have yet. */
export interface ProvisioningPlan {
  networks: NetworkPlan;
  signers: NewSigner[];
  notifications: CreateNotificationDto[];
  relayers: NewRelayer[];
}

/** Overwrites the keys and credentials of a plan that was carried out, or that will not be. */
export function destroySecrets({ signers }: ProvisioningPlan): void {
  for (const { material } of signers) material.secret?.destroy();
}

/** Runs a step of planning. What is wrong with the item at `place` is collected, and the result is then empty. */
export type Attempt = <T>(place: string, work: () => Promise<T | undefined>) => Promise<T[]>;
