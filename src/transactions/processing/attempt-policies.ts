import type { FeeLimits } from '../../chains/transaction-chain';
import type { UnsignedTransaction } from '../../chains/evm/transaction/unsigned-transaction';
import { DomainError } from '../../common/errors/domain-error';
import { parseBigInteger } from '../../common/validation/big-integer';
import type { EvmPolicies } from '../../relayers/policies/evm-policies.dto';
import { authorizeSignature, type Signatory } from '../../signing/authorization/authorize-signature';
import type { AttemptKind } from '../transaction-attempt.entity';
import type { TransactionEntity } from '../transaction.entity';

/** The limits for the fees of each attempt, the first as well as later ones. */
export const feeLimitsOf = (policies: EvmPolicies, kind: AttemptKind): FeeLimits => ({
  cap: parseBigInteger(policies.gas_price_cap),
  maxFee: kind === 'noop' ? undefined : parseBigInteger(policies.transactions?.max_fee),
  legacy: policies.eip1559_pricing === false,
});

export const areSameLimits = (one: FeeLimits, other: FeeLimits): boolean =>
  one.cap === other.cap && one.maxFee === other.maxFee && one.legacy === other.legacy;

/** The rule that forbids a transaction; undefined if it is allowed. */
export function brokenPolicy(
  relayer: Signatory,
  transaction: UnsignedTransaction,
  { request }: TransactionEntity,
): string | undefined {
  try {
    authorizeSignature(relayer, {
      ...{ form: 'transaction', transaction, isSent: true },
      ...(request.is_approved === true && { isApproved: true }),
    });
    return undefined;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'transaction_not_allowed') return error.detail;
    throw error;
  }
}
