import type { EvmPolicies } from './evm-policies.dto';
import type { Policies } from './policies';

/** Members that determine which forms of signature an EVM relayer creates. */
export const SIGNING_POLICIES = ['typed_data', 'messages', 'transactions'] as const;

/** Whether a form of signature is refused unless a policy allows it. */
export const isRestricted = (policies: Policies | EvmPolicies): boolean =>
  SIGNING_POLICIES.some((name) => policies[name] !== undefined);
