import type { EvmPolicies } from '../../relayers/policies/evm-policies.dto';
import type { AllowedMethods, TransactionPolicy } from '../../relayers/policies/transaction-policy.dto';
import type { UnsignedTransaction } from '../../chains/evm/transaction/unsigned-transaction';
import { transactionNotAllowed } from './authorization.errors';

const SELECTOR_BYTES = 4;

/**
 * Checks a transaction against the transaction policies. The whitelist has no exceptions: neither for the relayer's own
 * address, which may have code (EIP-7702), nor for contract creation.
 *
 * @throws DomainError `transaction_not_allowed`, naming the rule
 */
export function authorizeTransaction(policies: EvmPolicies, transaction: UnsignedTransaction): void {
  const broken = [
    whitelistRule(policies, transaction),
    priceRule(policies, transaction),
    ...(policies.transactions ? limitRules(policies.transactions, transaction) : []),
  ].find((rule) => rule !== undefined);
  if (broken !== undefined) throw transactionNotAllowed(`transaction${broken}`);
}

type BrokenRule = string | undefined;

function whitelistRule(
  { whitelist_receivers: whitelist }: EvmPolicies,
  { members: { to } }: UnsignedTransaction,
): BrokenRule {
  if (!whitelist) return undefined;
  if (to === null) return '.to is null, and policies.whitelist_receivers allows no contract creation';
  return whitelist.includes(to) ? undefined : '.to is not in policies.whitelist_receivers';
}

function priceRule({ gas_price_cap: cap }: EvmPolicies, transaction: UnsignedTransaction): BrokenRule {
  const { name, wei } = highestPrice(transaction);
  return cap !== undefined && wei > BigInt(cap) ? `.${name} is above policies.gas_price_cap` : undefined;
}

function limitRules(policy: TransactionPolicy, transaction: UnsignedTransaction): BrokenRule[] {
  const { value, gas_limit: gasLimit } = transaction.members;
  const { name, wei } = highestPrice(transaction);
  const above = (
    limit: keyof TransactionPolicy & `max_${string}`,
    amount: bigint,
    what: string,
  ): BrokenRule => {
    const max = policy[limit];
    return max !== undefined && amount > BigInt(max)
      ? `${what} is above policies.transactions.${limit}`
      : undefined;
  };
  return [
    above('max_value', value, '.value'),
    above('max_gas_limit', gasLimit, '.gas_limit'),
    above('max_fee', gasLimit * wei, `.gas_limit times ${name}`),
    transaction.members.to === null ? creationRule(policy) : methodRule(policy, transaction),
  ];
}

function creationRule({
  allow_contract_creation: allowed,
  allowed_methods: methods,
}: TransactionPolicy): BrokenRule {
  if (allowed === false) return '.to is null, and policies.transactions.allow_contract_creation is false';
  return methods && allowed !== true
    ? '.to is null: beside policies.transactions.allowed_methods that needs allow_contract_creation: true'
    : undefined;
}

function methodRule(
  { allowed_methods: methods }: TransactionPolicy,
  { type, members }: UnsignedTransaction,
): BrokenRule {
  if (!methods) return undefined;
  // Type 4 assigns code to accounts, which is not a method call.
  if (type === 4) return '.type is 4, which policies.transactions.allowed_methods does not allow';
  const { to, data } = members;
  const selector = selectorOf(data);
  return methods.some((entry) => allows(entry, to, selector))
    ? undefined
    : `.data calls ${selector ?? 'no method'}, which no entry of policies.transactions.allowed_methods allows for transaction.to`;
}

const allows = (entry: AllowedMethods, to: string | null, selector: string | undefined): boolean =>
  (entry.to === undefined || entry.to === to) && selector !== undefined && entry.selectors.includes(selector);

/** `0x` if there is no calldata; undefined if the calldata is too short to contain a selector. */
function selectorOf(data: Uint8Array): string | undefined {
  if (data.length > 0 && data.length < SELECTOR_BYTES) return undefined;
  return `0x${Buffer.from(data.subarray(0, SELECTOR_BYTES)).toString('hex')}`;
}

/** The maximum cost of a unit of gas, including the priority fee. */
function highestPrice({ type, members }: UnsignedTransaction): { name: string; wei: bigint } {
  return type === 0 || type === 1
    ? { name: 'gas_price', wei: members.gas_price }
    : { name: 'max_fee_per_gas', wei: members.max_fee_per_gas };
}
