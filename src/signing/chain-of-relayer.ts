import { invalidRequest } from '../common/errors/domain-error';
import { networkHasNoChainId } from '../networks/network.errors';

/** The properties of a network that matter for signatures bound to one chain. */
export interface ChainOfRelayer {
  name: string;
  /** The EIP-155 chain id, in decimal; null if it is not known. */
  chainId: string | null;
}

/**
 * Refuses typed data for a chain other than the relayer's. If the chain id of the network is not known, every chain id
 * is refused.
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
