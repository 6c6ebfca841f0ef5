import type { NetworkType } from '../../chains/network-type';
import type { Policies } from './policies';
import { isRestricted, SIGNING_POLICIES } from './restriction';

const TRANSACTION_ONLY = ['whitelist_receivers', 'gas_price_cap'] as const;

/**
 * Warnings about likely misunderstandings of the policies that were set: what can still be signed although they look
 * restrictive, and what has no effect.
 *
 * @param requested the policies in the request, or null for a patch that resets them
 * @param resulting the relayer's policies afterwards
 */
export function policyWarnings(
  networkType: NetworkType,
  requested: object | null | undefined,
  resulting: Policies,
): string[] {
  if (networkType !== 'evm' || !requested) return [];
  return [openForms(requested as Policies, resulting), idleMembers(requested as Policies)].filter(
    (warning) => warning !== undefined,
  );
}

function openForms(requested: Policies, resulting: Policies): string | undefined {
  const isAbout = [...TRANSACTION_ONLY, ...SIGNING_POLICIES].some((name) => requested[name] !== undefined);
  const set = TRANSACTION_ONLY.filter((name) => resulting[name] !== undefined);
  if (!isAbout || isRestricted(resulting) || set.length === 0) return undefined;
  return (
    `${listOf(set)} ${set.length === 1 ? 'applies' : 'apply'} to transactions only: typed data, given in full or as two ` +
    'hashes, and messages of any kind are still signed. Set policies.typed_data, policies.messages or ' +
    'policies.transactions, and whatever none of them allows is rejected'
  );
}

function idleMembers(requested: Policies): string | undefined {
  const value = requested.include_revert_data;
  if (value === undefined || value === null) return undefined;
  return 'policies.include_revert_data is stored but without effect: responses always have the revert data';
}

const listOf = (names: readonly string[]): string => names.map((name) => `policies.${name}`).join(', ');
