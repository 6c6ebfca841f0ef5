import type { EvmPolicies } from '../evm-policies.dto';
import { SIGNING_POLICIES } from '../policy-warnings';

/** Whether every form that no policy allows is refused. */
export const isRestricted = (policies: EvmPolicies): boolean =>
  SIGNING_POLICIES.some((name) => policies[name] !== undefined);
