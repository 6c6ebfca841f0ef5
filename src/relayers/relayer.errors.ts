import { DomainError, invalidRequest } from '../common/errors/domain-error';
import { describeReason, type DisabledReason } from './disabled-reason';

export const relayerNotFound = (id: string): DomainError =>
  new DomainError('relayer_not_found', `Relayer with ID ${id} not found`);

export const relayerExists = (): DomainError =>
  new DomainError('relayer_exists', 'Relayer with this ID already exists');

/** The relayer is in use by transactions that are not final, or by rows of a plugin. */
export const relayerInUse = (id: string): DomainError =>
  new DomainError(
    'relayer_in_use',
    'Relayer is in use',
    `Relayer '${id}' has transactions that are not final, or a plugin still needs it`,
  );

/** It must not be deleted without approval, because others need approval to be less restricted. */
export const relayerRestrictsOthers = (id: string): DomainError =>
  new DomainError(
    'relayer_in_use',
    'Relayer is in use',
    `Other relayers have the address of relayer '${id}', and its policies or its pause restrict what they sign: first remove the policies or end the pause, which needs approval`,
  );

/** @param users a description of the relayers whose `policies.top_up` names it */
export const relayerTopsUp = (id: string, users: string): DomainError =>
  new DomainError(
    'relayer_in_use',
    'Relayer is in use',
    `Relayer '${id}' is in policies.top_up of ${users}: change these first`,
  );

export const signerTaken = (signerId: string, network: string): DomainError =>
  new DomainError(
    'signer_in_use',
    'Signer is in use',
    `Signer '${signerId}' already serves a relayer on network '${network}': a signer serves one relayer per network`,
  );

/** @param owner the relayer that has the account; undefined if the caller must not learn of it */
export const accountInUse = (owner: string | undefined, address: string, chainId: string): DomainError =>
  new DomainError(
    'account_in_use',
    'Account is in use',
    `${owner === undefined ? 'Another relayer' : `Relayer '${owner}'`} already has account ${address} on chain id ${chainId}: an account has one relayer, whichever network or signer leads to it`,
  );

export const relayerPaused = (): DomainError => new DomainError('relayer_paused', 'Relayer paused');

/** @param reason why the system disabled it; null if that is not known */
export const relayerDisabled = (reason: DisabledReason | null): DomainError =>
  new DomainError(
    'relayer_disabled',
    'Relayer disabled',
    reason ? `the relayer is disabled by the system: ${describeReason(reason)}` : undefined,
  );

/** The operation needs the chain, but the relayer's own endpoints are not used. */
export const ownEndpointsUnused = (): DomainError =>
  invalidRequest('no endpoint in custom_rpc_urls of the relayer has a weight above 0');
