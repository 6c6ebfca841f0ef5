import { DomainError, invalidRequest } from '../../common/errors/domain-error';
import type { TypedDataPattern, TypedDataPolicy } from '../../relayers/policies/typed-data-policy.dto';
import type { HashedTypedData } from './typed-data';

/** Of a network, what typed data is checked against. */
export interface ChainOfRelayer {
  name: string;
  /** EIP-155, in decimal; null where it is not known. */
  chainId: string | null;
}

/**
 * Two hashes do not show what they stand for. They are signed unless the policy forbids it; a list of what is
 * allowed forbids it too, unless blind hashes are allowed beside it in so many words.
 *
 * @throws DomainError `typed_data_not_allowed`
 */
export function authorizeHashes(policy: TypedDataPolicy | undefined): void {
  if (policy?.allow_blind_hashes === false)
    throw notAllowed('policies.typed_data.allow_blind_hashes is false');
  if (policy?.allowed && policy.allow_blind_hashes !== true) {
    throw notAllowed(
      'policies.typed_data.allowed is given, and policies.typed_data.allow_blind_hashes is not set to true',
    );
  }
}

/** @throws DomainError `typed_data_not_allowed` where there is a list of what is allowed and nothing on it fits */
export function authorizeTypedData(policy: TypedDataPolicy | undefined, data: HashedTypedData): void {
  if (!policy?.allowed || policy.allowed.some((pattern) => matches(pattern, data))) return;
  const { chainId, verifyingContract } = data.domain;
  throw notAllowed(
    `no entry of policies.typed_data.allowed matches ${[
      `chain_id ${chainId?.toString() ?? '(none)'}`,
      `verifying_contract ${verifyingContract ?? '(none)'}`,
      `primary_type ${data.primaryType}`,
    ].join(', ')}`,
  );
}

/**
 * A signature for another chain than the relayer's is not what its network stands for. Where the network's own
 * chain id is not known, none can be confirmed.
 *
 * @throws DomainError `invalid_request`
 */
export function checkChain(chainId: bigint, network: ChainOfRelayer): void {
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

function matches(pattern: TypedDataPattern, { domain, primaryType }: HashedTypedData): boolean {
  return (
    (pattern.chain_id === undefined || pattern.chain_id.toString() === domain.chainId?.toString()) &&
    (pattern.verifying_contract === undefined || pattern.verifying_contract === domain.verifyingContract) &&
    (pattern.primary_type === undefined || pattern.primary_type === primaryType)
  );
}

const notAllowed = (rule: string): DomainError =>
  new DomainError('typed_data_not_allowed', 'Typed data not allowed by policy', rule);
