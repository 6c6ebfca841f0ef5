/** Why a relayer was disabled, in fixed sentences that reveal nothing about the network's responses. */
export const DISABLED_REASON_TEXTS = {
  NonceSyncFailed: 'Nonce synchronization failed',
  RpcValidationFailed: 'RPC endpoint validation failed',
  BalanceCheckFailed: 'Insufficient balance',
  SequenceSyncFailed: 'Sequence synchronization failed',
} as const;

export type SingleReasonType = keyof typeof DISABLED_REASON_TEXTS;

interface SingleReason {
  type: SingleReasonType;
  details: string;
}

export type DisabledReason = SingleReason | { type: 'Multiple'; details: SingleReason[] };

/** The reason of one failed check, or of several. */
export function disabledReason(types: readonly [SingleReasonType, ...SingleReasonType[]]): DisabledReason {
  const reasons = types.map((type) => ({ type, details: DISABLED_REASON_TEXTS[type] }));
  const [only] = reasons;
  return only && reasons.length === 1 ? only : { type: 'Multiple', details: reasons };
}

/** The single reasons of a reason. */
export function singleReasons(reason: DisabledReason): SingleReason[] {
  return reason.type === 'Multiple' ? reason.details : [reason];
}

/** The sentences of a reason, separated by commas. */
export const describeReason = (reason: DisabledReason): string =>
  singleReasons(reason)
    .map(({ details }) => details)
    .join(', ');
