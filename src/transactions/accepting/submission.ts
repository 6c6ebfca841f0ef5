import type { AuditCaller } from '../../audit/audit-entry';
import type { TraceContext } from '../../common/tracing/trace-context';
import type { DomainError } from '../../common/errors/domain-error';
import type { ActingRelayer } from '../../relayers/relayer.entity';
import type { Account } from '../account-nonce.entity';
import type { TransactionEntity } from '../transaction.entity';
import type { AcceptedRequest } from './accepted-request';
import type { Floor } from './account-floors';

/** Requests of one client, accepted in order: either each valid one, or all or none. */
export interface Submission {
  relayer: ActingRelayer;
  /** When the API key and the relayer were checked, in milliseconds of `performance.now()`. */
  checkedAt: number;
  /** Checks them again, as part of the client's request. @throws DomainError if it may no longer send */
  check: () => Promise<ActingRelayer>;
  account: Account;
  floor: Floor;
  /** If set, nothing is accepted once the account's ledger has another number of changes. */
  ledgerChanges?: number | undefined;
  requests: readonly AcceptedRequest[];
  /** Whether either all or none of the requests are accepted. */
  atomic: boolean;
  /** For an approved request. The approval is only used up if the request is accepted. */
  approval?: UsedApproval | undefined;
}

/** What must hold when a transaction of the service itself is accepted. */
export interface Conditions {
  /** The number of changes of the account's ledger. */
  ledgerChanges: number;
  /** Checks whether it is still wanted, because simulating it takes a while. @throws DomainError if it is not */
  confirm: () => Promise<void>;
}

/** The approval of a request. */
export interface UsedApproval {
  /** The id of the change, which is also that of its transaction. */
  id: string;
  /** Uses up the approval, in the unit of work that accepts the request. */
  use: () => Promise<void>;
}

/** The result of a request: the record, and whether it existed before; or why the request was not accepted. */
export type AcceptanceResult = { transaction: TransactionEntity; isReplay: boolean } | { error: unknown };

/** A submission that is being stored. */
export interface Waiting extends Submission {
  /** Stored here because submissions of several callers share a transaction. */
  caller: AuditCaller;
  trace: TraceContext | undefined;
  /** Whether the results are committed. */
  isStored: boolean;
  /** Whether its floor does not hold for the ledger, so that nothing was decided. */
  isOutdated: boolean;
  /** Why it may no longer be accepted, so that nothing was decided. */
  refusal: DomainError | undefined;
  results: AcceptanceResult[];
}
