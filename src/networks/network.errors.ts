import { isUnreadable } from '../chains/evm/node-read';
import { DomainError, invalidRequest } from '../common/errors/domain-error';
import type { NetworkType } from '../chains/network-type';

export const networkNotFound = (id: string): DomainError =>
  new DomainError('network_not_found', `Network with ID '${id}' not found`);

export const networkExists = (): DomainError =>
  new DomainError('network_exists', 'Network with this ID already exists');

/** @param users for example `2 relayer(s): Treasury (t1), Payouts (p1)` */
export const networkInUse = (id: string, users: string): DomainError =>
  new DomainError('network_in_use', 'Network is in use', `Network '${id}' is used by ${users}`);

/** A relayer refers to a network that does not exist. */
export const networkNotFoundFor = (name: string, networkType: NetworkType): DomainError =>
  invalidRequest(
    `Network '${name}' not found for network type '${networkType}'. Please ensure the network configuration exists.`,
  );

/** The chain id of the network is unknown. */
export const networkHasNoChainId = (name: string): DomainError =>
  invalidRequest(`Network ${name} has no chain id`);

/** The operation needs the chain, but the network is for signing only. */
export const networkHasNoEndpoint = (name: string): DomainError =>
  invalidRequest(`Network ${name} has no RPC endpoint`);

/** No node of the chain returned a usable response. */
export const networkUnavailable = (name: string, cause: Error): DomainError =>
  new DomainError(
    'network_unavailable',
    'Service Unavailable',
    `No RPC endpoint of network ${name} responded`,
    { cause },
  );

/** The error to throw if a call to a network failed: {@link networkUnavailable} if its nodes are the cause. */
export const callFailure = (name: string, error: unknown): unknown =>
  isUnreadable(error) ? networkUnavailable(name, error) : error;
