import type { FindOptionsWhere } from 'typeorm';
import { countWithin } from '../../database/count-within';
import type { TransactionRows } from '../transaction-rows';
import type { TransactionEntity } from '../transaction.entity';

/** The stored size of the transactions that are looked up together. @limit Transactions */
const MAX_BYTES = 16 * 1024 * 1024;

/** How many of these transactions to read at once, lowest nonce first: at most `limit`, fewer if they are large. */
export function countTogether(
  { repository }: TransactionRows,
  where: FindOptionsWhere<TransactionEntity>,
  limit: number,
): Promise<number> {
  const selection = repository.createQueryBuilder('open').setFindOptions({ where, order: { nonce: 'ASC' } });
  return countWithin(selection, { limit, bytes: MAX_BYTES, columns: ['request', 'attempt'] });
}
