/** Why a relayer was taken out of service, in fixed sentences that tell nothing of the network's answers. */
export const DISABLED_REASON_TEXTS = {
  NonceSyncFailed: 'Nonce synchronization failed',
  RpcValidationFailed: 'RPC endpoint validation failed',
  BalanceCheckFailed: 'Insufficient balance',
  SequenceSyncFailed: 'Sequence synchronization failed',
} as const;

export type SingleReasonType = keyof typeof DISABLED_REASON_TEXTS;

export interface SingleReason {
  type: SingleReasonType;
  details: string;
}

export type DisabledReason = SingleReason | { type: 'Multiple'; details: SingleReason[] };
