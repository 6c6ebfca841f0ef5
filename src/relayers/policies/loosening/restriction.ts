import type { EvmPolicies } from '../evm-policies.dto';
import { SIGNING_POLICIES } from '../policy-warnings';

/** Whether forms are rejected that no policy allows. */
export const isRestricted = (policies: EvmPolicies): boolean =>
  SIGNING_POLICIES.some((name) => policies[name] !== undefined);
