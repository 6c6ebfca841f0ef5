import { DomainError, invalidRequest } from '../common/errors/domain-error';
import type { NetworkType } from '../common/networks/network-type';

export const networkNotFound = (id: string): DomainError =>
  new DomainError('network_not_found', `Network with ID '${id}' not found`);

export const networkExists = (): DomainError =>
  new DomainError('network_exists', 'Network with this ID already exists');

/** @param users such as `2 relayer(s): Treasury, Payouts` */
export const networkInUse = (id: string, users: string): DomainError =>
  new DomainError('network_in_use', 'Network is in use', `Network '${id}' is used by ${users}`);

/** A relayer names a network that is not there. */
export const networkNotFoundFor = (name: string, networkType: NetworkType): DomainError =>
  invalidRequest(
    `Network '${name}' not found for network type '${networkType}'. Please ensure the network configuration exists.`,
  );
