import { formatTrace } from '../../common/tracing/trace-context';
import type { AccountNonceEntity } from '../account-nonce.entity';
import { newTransaction } from '../new-transaction';
import type { TransactionEntity } from '../transaction.entity';
import type { AcceptedRequest } from './accepted-request';
import type { Waiting } from './submission';

/** Assigns the nonces of one database transaction, in the order of the requests. */
export class NonceAssignment {
  readonly rows: TransactionEntity[] = [];
  /** The time at which all of them are accepted. */
  readonly at = new Date();
  private readonly first: number;

  constructor(
    readonly ledger: Readonly<AccountNonceEntity>,
    floor: number,
    private readonly room: number,
  ) {
    this.first = Math.max(ledger.nextNonce, floor);
  }

  get next(): number {
    return this.first + this.rows.length;
  }

  get isFull(): boolean {
    return this.rows.length >= this.room;
  }

  mark(): number {
    return this.rows.length;
  }

  reset(mark: number): TransactionEntity[] {
    return this.rows.splice(mark);
  }

  add({ relayer, account, approval, trace }: Waiting, accepted: AcceptedRequest): TransactionEntity {
    const row = newTransaction({
      ...(approval && { id: approval.id }),
      accountId: this.ledger.id,
      relayerId: relayer.id,
      sender: account.address,
      nonce: this.next,
      request: approval ? { ...accepted.request, is_approved: true } : accepted.request,
      idempotencyKey: accepted.idempotencyKey,
      requestDigest: accepted.digest,
      validUntil: accepted.validUntil,
      metadata: accepted.metadata,
      traceContext: formatTrace(trace),
      createdAt: this.at,
    });
    this.rows.push(row);
    return row;
  }

  /** Distributes the ids in the order of the nonces, because lists sort rows of the same time by id. */
  sortIds(): void {
    const ids = this.rows.map(({ id }) => id).sort();
    for (const [i, row] of this.rows.entries()) row.id = ids[i] ?? row.id;
  }
}
