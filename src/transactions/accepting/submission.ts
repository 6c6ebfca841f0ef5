import type { AuditCaller } from '../../audit/audit-entry';
import type { TraceContext } from '../../common/tracing/trace-context';
import type { ActingRelayer } from '../../relayers/relayer.entity';
import type { Account } from '../account-nonce.entity';
import type { TransactionEntity } from '../transaction.entity';
import type { AcceptedRequest } from './accepted-request';

/** Requests of one client, accepted in their order: either each one that is valid, or all or none. */
export interface Submission {
  relayer: ActingRelayer;
  account: Account;
  /** The nonce of the account on the chain, or 0 if not known: no lower nonce is assigned. */
  floor: number;
  requests: readonly AcceptedRequest[];
  /** All are accepted or none. */
  atomic: boolean;
  /** For an approved request. Its approval is used up only if the request is accepted. */
  approval?: UsedApproval | undefined;
}

/** The approval of a request. */
export interface UsedApproval {
  /** The id of the change, and of its transaction. */
  id: string;
  /** Uses it up in the unit of work that accepts the request. */
  use: () => Promise<void>;
}

/** The result of a request: the record, and whether it existed before; or why the request was not accepted. */
export type AcceptanceResult = { transaction: TransactionEntity; isReplay: boolean } | { error: unknown };

/** A submission that is being stored. */
export interface Waiting extends Submission {
  /** Kept here because submissions of several callers share a transaction. */
  caller: AuditCaller;
  trace: TraceContext | undefined;
  /** Whether its results are committed. */
  isStored: boolean;
  results: AcceptanceResult[];
}
