import type { AuditCaller } from '../../audit/audit-entry';
import type { TraceContext } from '../../common/tracing/trace-context';
import type { ActingRelayer } from '../../relayers/relayer.entity';
import type { Account } from '../account-nonce.entity';
import type { TransactionEntity } from '../transaction.entity';
import type { AcceptedRequest } from './accepted-request';

/** Requests of one client that are accepted in their order: all that can be, or all or none. */
export interface Submission {
  relayer: ActingRelayer;
  account: Account;
  /** The nonce that the chain has, where it is known: no lower one is assigned. */
  floor: number;
  requests: readonly AcceptedRequest[];
  /** All are accepted or none. */
  atomic: boolean;
  /** For a request that others have approved: it is accepted by itself, or the approval is not used up. */
  approval?: UsedApproval | undefined;
}

/** The approval of a request. */
export interface UsedApproval {
  /** Of the change, and of its transaction. */
  id: string;
  /** Uses it up in the unit of work that accepts the request. */
  use: () => Promise<void>;
}

/** One result for each request: the record, and whether it was there before; or why it was not accepted. */
export type AcceptanceResult = { transaction: TransactionEntity; isReplay: boolean } | { error: unknown };

/** A submission on its way. */
export interface Waiting extends Submission {
  /** Others may share the transaction. */
  caller: AuditCaller;
  trace: TraceContext | undefined;
  /** Whether its results are committed. */
  isStored: boolean;
  results: AcceptanceResult[];
}
