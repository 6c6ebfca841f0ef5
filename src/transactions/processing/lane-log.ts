import { Logger } from '@nestjs/common';
import type { SendCause } from '../../chains/send-cause';
import type { OutgoingAttempt } from '../../chains/transaction-chain';
import type { TransactionEntity } from '../transaction.entity';
import type { LaneContext } from './lane-context';

const logger = new Logger('TransactionLane');

/** Causes that do not say why, or that concern the endpoint; all others have a `status_reason` that says enough. */
const UNCLEAR: ReadonlySet<SendCause> = new Set(['unknown', 'invalid', 'wrong_chain']);

/** Logs what nodes say when they refuse a transaction: once for each cause. */
export function logRefusals(
  { memory, relayer }: LaneContext,
  { id }: TransactionEntity,
): NonNullable<OutgoingAttempt['refused']> {
  return (cause, text) => {
    if (!UNCLEAR.has(cause) || !memory.waits.isNewRefusal(id, cause)) return;
    logger.warn('A node refused a transaction', { relayer_id: relayer.id, transaction: id, cause, text });
  };
}

/** Logs that an account begins to wait for funds: once, until the transaction that waits for them needs no more. */
export function reportLackOfFunds({ memory, relayer }: LaneContext, { id }: TransactionEntity): void {
  if (!memory.waits.lacksFunds(id)) return;
  logger.warn('Transactions wait for funds', {
    relayer_id: relayer.id,
    address: relayer.address,
    transaction: id,
  });
}
