import { Logger } from '@nestjs/common';
import type { TransactionEntity } from '../transaction.entity';
import type { LaneContext } from './lane-context';

const logger = new Logger('TransactionLane');

/** Logs that an account begins to wait for funds: once, until the transaction that waits for them needs no more. */
export function reportLackOfFunds({ memory, relayer }: LaneContext, { id }: TransactionEntity): void {
  if (!memory.waits.lacksFunds(id)) return;
  logger.warn('Transactions wait for funds', {
    relayer_id: relayer.id,
    address: relayer.address,
    transaction: id,
  });
}
