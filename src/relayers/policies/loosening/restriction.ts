import type { EvmPolicies } from '../evm-policies.dto';
import { SIGNING_POLICIES } from '../policy-warnings';

/** Whether a form of signature is refused unless a policy allows it. */
export const isRestricted = (policies: EvmPolicies): boolean =>
  SIGNING_POLICIES.some((name) => policies[name] !== undefined);
