import { invalidRequest } from '../common/errors/domain-error';
import { networkHasNoChainId } from '../networks/network.errors';

/** The properties of the network that a signature for one chain depends on. */
export interface ChainOfRelayer {
  name: string;
  /** EIP-155, in decimal; null where it is not known. */
  chainId: string | null;
}

/**
 * Refuses typed data for another chain than the relayer's. Where the chain id of the network is not known, no chain id
 * can be confirmed.
 *
 * @throws DomainError `invalid_request`
 */
export function checkDomainChain(chainId: bigint, network: ChainOfRelayer): void {
  if (network.chainId === null) {
    throw invalidRequest(
      `domain.chainId cannot be checked: the chain id of network ${network.name} is not known`,
    );
  }
  if (chainId.toString() !== network.chainId) {
    throw invalidRequest(
      `domain.chainId must be ${network.chainId}, the chain id of network ${network.name}`,
    );
  }
}

/** @throws DomainError `invalid_request` */
export function checkTransactionChain(chainId: bigint, network: ChainOfRelayer): void {
  if (network.chainId === null) throw networkHasNoChainId(network.name);
  if (chainId !== BigInt(network.chainId))
    throw invalidRequest(`transaction.chain_id must be ${network.chainId}, that of network ${network.name}`);
}
