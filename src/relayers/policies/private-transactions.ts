import type { EvmPolicies } from './evm-policies.dto';

/** Whether transactions of a relayer with these policies are sent to private endpoints only. */
export const sendsPrivately = ({ private_transactions: isWanted }: EvmPolicies): boolean => isWanted === true;
