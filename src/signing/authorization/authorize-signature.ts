import type { EvmPolicies } from '../../relayers/policies/evm-policies.dto';
import { SIGNING_POLICIES } from '../../relayers/policies/restriction';
import type { UnsignedTransaction } from '../../chains/evm/transaction/unsigned-transaction';
import { isNativeTransactionDomain } from '../../chains/evm/typed-data/native-transactions';
import type { HashedTypedData } from '../../chains/evm/typed-data/typed-data';
import { authorizeMessage } from './authorize-message';
import { authorizeTransaction } from './authorize-transaction';
import { authorizeTypedData } from './authorize-typed-data';
import { messageNotAllowed, transactionNotAllowed, typedDataNotAllowed } from './authorization.errors';

/** The content to be signed. */
export type SignatureSubject =
  /** EIP-712 data of which only the two hashes are known. */
  | { form: 'typed_data_hashes'; domainSeparator: string }
  | { form: 'typed_data'; data: HashedTypedData }
  /** The bytes of an EIP-191 message, without the prefix. */
  | { form: 'message'; message: Uint8Array }
  /**
   * `isSent` if this service sends the transaction and counts its spending. `isApproved` if others have approved it, or
   * the caller is requesting that approval.
   */
  | { form: 'transaction'; transaction: UnsignedTransaction; isSent?: true; isApproved?: true };

/** What decides whether a relayer may sign: its policies in their stored form, and the chain id of its network. */
export interface Signatory {
  readonly policies: EvmPolicies;
  /** In decimal; null if it is not known. */
  readonly chainId: string | null;
}

/**
 * Decides whether a relayer may sign. Typed data that is a native transaction of a ZK Stack or Cosmos chain is never
 * signed. If none of `typed_data`, `messages` and `transactions` is set, every form is signed, within
 * `whitelist_receivers` and `gas_price_cap` for transactions. If one of the three is set, a form is signed only if the
 * policy for that form is set and allows it. Two hashes are signed only if `typed_data` allows blind hashes.
 *
 * @throws DomainError `typed_data_not_allowed`, `message_not_allowed`, `transaction_not_allowed`, naming the rule
 */
export function authorizeSignature({ policies, chainId }: Signatory, subject: SignatureSubject): void {
  const restriction = SIGNING_POLICIES.find((name) => policies[name] !== undefined);
  switch (subject.form) {
    case 'typed_data_hashes':
      assertNotNativeTransaction(subject.domainSeparator, chainId);
      if (restriction !== undefined && policies.typed_data?.allow_blind_hashes !== true)
        throw typedDataNotAllowed(
          `policies.${restriction} is set, and policies.typed_data.allow_blind_hashes is not true`,
        );
      return;
    case 'typed_data':
      assertNotNativeTransaction(subject.data.domain.separator, subject.data.domain.chainId?.toString());
      if (policies.typed_data) authorizeTypedData(policies.typed_data, subject.data);
      else if (restriction !== undefined) throw typedDataNotAllowed(notSet(restriction, 'typed_data'));
      return;
    case 'message':
      if (policies.messages) authorizeMessage(policies.messages, subject.message);
      else if (restriction !== undefined) throw messageNotAllowed(notSet(restriction, 'messages'));
      return;
    case 'transaction':
      if (restriction !== undefined && !policies.transactions)
        throw transactionNotAllowed(notSet(restriction, 'transactions'));
      if (!subject.isSent && (policies.transactions?.spend_limits ?? []).length > 0)
        throw transactionNotAllowed(
          'policies.transactions.spend_limits is set, and a transaction that is only signed cannot be counted: send it instead',
        );
      authorizeTransaction(policies, subject.transaction);
      if (!subject.isApproved && needsApproval(policies, subject.transaction.members.value))
        throw transactionNotAllowed(
          'transaction.value is above policies.transactions.approval_above, and it was not approved: only a transaction that is sent by itself can wait for that',
        );
  }
}

/** Whether a transaction requires approval by others before it is sent. @param value in wei */
export function needsApproval({ transactions }: EvmPolicies, value: bigint): boolean {
  const limit = transactions?.approval_above;
  return limit !== undefined && value > BigInt(limit);
}

/**
 * The chain would execute it as a transaction, although neither the scope nor the policies for transactions were
 * checked. The domain alone decides, whatever the primary type is: hashes do not reveal it, the chain uses this domain
 * for nothing else, and it could accept further types.
 */
function assertNotNativeTransaction(separator: string, chainId: string | null | undefined): void {
  if (isNativeTransactionDomain(separator, chainId))
    throw typedDataNotAllowed(
      'the domain is that of native transactions of ZKsync or Cosmos chains, to which policies for typed data do not apply: sign or send a transaction instead',
    );
}

const notSet = (restriction: string, needed: string): string =>
  `policies.${restriction} is set, and policies.${needed} is not`;
