import { DomainError } from '../../common/errors/domain-error';
import type { EvmPolicies } from '../../relayers/policies/evm-policies.dto';
import type { UnsignedTransaction } from './unsigned-transaction';

/**
 * Holds a transaction against a relayer's policies. The whitelist has no exceptions: neither the relayer's own address,
 * which may have code (EIP-7702), nor the creation of a contract.
 *
 * @throws DomainError `transaction_not_allowed`, naming the rule
 */
export function requireAllowed(transaction: UnsignedTransaction, policies: EvmPolicies): void {
  const { whitelist_receivers: whitelist, gas_price_cap: cap } = policies;
  const { to } = transaction.members;
  if (whitelist && to === null)
    throw notAllowed('transaction.to is null, and policies.whitelist_receivers allows no contract creation');
  if (whitelist && to !== null && !whitelist.includes(to))
    throw notAllowed('transaction.to is not in policies.whitelist_receivers');
  const [name, price] = highestPrice(transaction);
  // The priority fee is no higher.
  if (cap !== undefined && price > BigInt(cap))
    throw notAllowed(`transaction.${name} is above policies.gas_price_cap`);
}

function highestPrice({ type, members }: UnsignedTransaction): [name: string, wei: bigint] {
  return type === 0 || type === 1
    ? ['gas_price', members.gas_price]
    : ['max_fee_per_gas', members.max_fee_per_gas];
}

function notAllowed(rule: string): DomainError {
  return new DomainError('transaction_not_allowed', 'Transaction not allowed by policy', rule);
}
