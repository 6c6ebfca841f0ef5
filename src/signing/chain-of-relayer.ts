import { invalidRequest } from '../common/errors/domain-error';
import { networkHasNoChainId } from '../networks/network.errors';

/** Of a network, what a signature for one chain is checked against. */
export interface ChainOfRelayer {
  name: string;
  /** EIP-155, in decimal; null where it is not known. */
  chainId: string | null;
}

/**
 * A signature for another chain than the relayer's is not what its network stands for. Where the network's own
 * chain id is not known, none can be confirmed.
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
