import type { TypedDataPattern, TypedDataPolicy } from '../../relayers/policies/typed-data-policy.dto';
import type { HashedTypedData } from '../../chains/evm/typed-data/typed-data';
import { typedDataNotAllowed } from './authorization.errors';
import { MessageFields } from './message-fields';

/** @throws DomainError `typed_data_not_allowed` if there is a list of allowed data without a matching entry */
export function authorizeTypedData({ allowed }: TypedDataPolicy, data: HashedTypedData): void {
  if (!allowed) return;
  const fields = new MessageFields(data);
  let nearest: string | undefined;
  for (const [index, pattern] of allowed.entries()) {
    if (!matchesDomainAndType(pattern, data)) continue;
    const field = pattern.fields && fields.firstUnmet(pattern.fields);
    if (field === undefined) return;
    nearest ??= `policies.typed_data.allowed[${index}].fields does not allow message.${field}, and no other entry matches`;
  }
  throw typedDataNotAllowed(nearest ?? noEntryMatches(data));
}

function matchesDomainAndType(pattern: TypedDataPattern, { domain, primaryType }: HashedTypedData): boolean {
  return (
    (pattern.chain_id === undefined || pattern.chain_id.toString() === domain.chainId?.toString()) &&
    (pattern.verifying_contract === undefined || pattern.verifying_contract === domain.verifyingContract) &&
    (pattern.primary_type === undefined || pattern.primary_type === primaryType)
  );
}

function noEntryMatches({ domain: { chainId, verifyingContract }, primaryType }: HashedTypedData): string {
  return `no entry of policies.typed_data.allowed matches ${[
    `chain_id ${chainId?.toString() ?? '(none)'}`,
    `verifying_contract ${verifyingContract ?? '(none)'}`,
    `primary_type ${primaryType}`,
  ].join(', ')}`;
}
