import type { Approval, Transaction } from './resources.ts';

/**
 * The base class of all errors of this client, except `TypeError` for incorrect use and the reason of an `AbortSignal`.
 * No message contains a secret.
 */
export class RelayerClientError extends Error {
  override name = this.constructor.name;
}

/** The content of a failed response. */
export interface Failure {
  status: number;
  /** The short text. It may contain the id of a resource that is not found. */
  summary: string;
  /** What is wrong in this case, in terms that the caller can act on. */
  error: string;
  /** The request id, to be quoted to the operator of the service. */
  requestId: string | undefined;
  /** The delay in `Retry-After`, in milliseconds. */
  retryAfterMs: number | undefined;
}

/**
 * The service refused the request, or failed. There is a subclass for each status that callers commonly distinguish.
 */
export class ApiError extends RelayerClientError implements Failure {
  readonly status: number;
  readonly summary: string;
  readonly error: string;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor({ status, summary, error, requestId, retryAfterMs }: Failure) {
    super(`${status} ${summary === error ? error : `${summary}: ${error}`}`);
    this.status = status;
    this.summary = summary;
    this.error = error;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** 400: the request breaks a rule; `error` names the field. */
export class BadRequestError extends ApiError {}
/** 401: no valid key or signature; the cause is only in the audit log of the service. */
export class UnauthorizedError extends ApiError {}
/** 403: the key, a policy, a pause or the freeze forbids it; `summary` says which. */
export class ForbiddenError extends ApiError {}
/** 404: the resource does not exist, or the key does not reach it. */
export class NotFoundError extends ApiError {
  /** @param mayBeDeleted whether an earlier attempt of the same call, whose response was lost, may have deleted it */
  constructor(
    failure: Failure,
    readonly mayBeDeleted = false,
  ) {
    super(failure);
    if (mayBeDeleted) this.message += ' (an earlier attempt may have deleted it)';
  }
}
/** 409: the resource already exists or is in use, or the idempotency key was used for a different body. */
export class ConflictError extends ApiError {}
/** 429: an allowance is used up; see `retryAfterMs`. Nothing was done. */
export class TooManyRequestsError extends ApiError {}
/**
 * 502, 503 or 504: the service, or something it depends on, cannot respond now. Work that has begun may still finish.
 */
export class UnavailableError extends ApiError {}

/**
 * No response arrived: there was no connection, or it took too long. It is unknown whether the service received the
 * request.
 */
export class ConnectionError extends RelayerClientError {}

/**
 * A response that is not from the service, for example a proxy's error page. With a status from 500 on, or 408, it is
 * unknown whether the service received the request.
 */
export class UnexpectedResponseError extends RelayerClientError {
  constructor(
    readonly status: number,
    readonly requestId: string | undefined,
  ) {
    super(`The response with status ${status} is not one of the relayer management service`);
  }
}

/**
 * 202: other API keys must approve the request. Unless `change.status` is `applied`, nothing has been done. A repeated
 * request, with the same idempotency key, may find that the change is no longer pending.
 */
export class ApprovalPendingError extends RelayerClientError {
  constructor(readonly change: Approval) {
    const { id, status } = change;
    super(
      status === 'pending'
        ? `The request waits for approval as change ${id}`
        : `The request became change ${id}, which is ${status}`,
    );
  }
}

/** A transaction became final without reaching the expected status. */
export class TransactionEndedError extends RelayerClientError {
  constructor(readonly transaction: Transaction) {
    const { id, status, status_reason: reason, revert_reason: revert } = transaction;
    const why = revert ?? reason;
    super(`Transaction ${id} is ${status}${why === null ? '' : `: ${why}`}`);
  }
}

/** A transaction has not reached the status in time. It continues. */
export class WaitTimeoutError extends RelayerClientError {
  constructor(
    readonly transaction: Transaction,
    wanted: string,
  ) {
    const { id, status, status_reason: reason } = transaction;
    super(`Transaction ${id} is not ${wanted} but ${status}${reason === null ? '' : `: ${reason}`}`);
  }
}

/**
 * The service has accepted a transaction, which continues, but its state cannot be read; `cause` says why.
 * Sending it again is a second transaction, unless the idempotency key is the same.
 */
export class TransactionAcceptedError extends RelayerClientError {
  constructor(
    readonly transactionId: string,
    cause: unknown,
  ) {
    super(`Transaction ${transactionId} was accepted, but its state cannot be read`, { cause });
  }
}

/** A JSON-RPC call failed: a node returned an error, or none responded. */
export class JsonRpcError extends RelayerClientError {
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
  }
}

/** A request that claims to be an event does not come from the service, or is too old. */
export class WebhookVerificationError extends RelayerClientError {}

const CLASSES: Readonly<Record<number, new (failure: Failure) => ApiError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  429: TooManyRequestsError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
};

/** Creates the error for a failed response, in the class for its status. */
export const toApiError = (failure: Failure): ApiError => new (CLASSES[failure.status] ?? ApiError)(failure);

/**
 * Whether the same request may succeed later: the service failed, as it does while its database moves to another
 * server, or a proxy responded in its place.
 */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof UnexpectedResponseError ||
  (error instanceof ApiError && (error.status >= 500 || error.status === 429 || error.status === 408));
