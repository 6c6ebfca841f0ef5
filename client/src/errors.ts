import type { Approval, Transaction } from './resources.ts';

/** Every error of this client, except those of its caller (`TypeError`) and of an `AbortSignal`. No message has a secret. */
export class RelayerClientError extends Error {
  override name = this.constructor.name;
}

/** What a failed response says. */
export interface Failure {
  status: number;
  /** The short text, the same for every case of its kind. */
  summary: string;
  /** What is wrong in this case, in terms that the caller can act on. */
  error: string;
  /** Quote it to the operator of the service. */
  requestId: string | undefined;
  /** What `Retry-After` asks for, in milliseconds. */
  retryAfterMs: number | undefined;
}

/** The service refused the request, or failed. There is a class for each status that callers distinguish. */
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
/** 404: there is no such thing, or the key does not reach it. */
export class NotFoundError extends ApiError {}
/** 409: it exists, is in use, or the idempotency key was used for another body. */
export class ConflictError extends ApiError {}
/** 429: an allowance is used up; see `retryAfterMs`. Nothing was done. */
export class TooManyRequestsError extends ApiError {}
/** 502, 503 or 504: the service, or what it depends on, cannot respond now. What it started may still finish. */
export class UnavailableError extends ApiError {}

/** No response arrived: no connection, or not in time. Whether the service got the request is not known. */
export class ConnectionError extends RelayerClientError {}

/** A response that is not from the service, such as the page of a proxy. */
export class UnexpectedResponseError extends RelayerClientError {
  constructor(
    readonly status: number,
    readonly requestId: string | undefined,
  ) {
    super(`The response with status ${status} is not one of the relayer management service`);
  }
}

/** 202: nothing was done yet, since other API keys have to approve the request. */
export class ApprovalPendingError extends RelayerClientError {
  constructor(readonly change: Approval) {
    super(`The request waits for approval as change ${change.id}`);
  }
}

/** A transaction is final without having reached the status that was waited for. */
export class TransactionEndedError extends RelayerClientError {
  constructor(readonly transaction: Transaction) {
    const { id, status, status_reason: reason, revert_reason: revert } = transaction;
    const why = revert ?? reason;
    super(`Transaction ${id} is ${status}${why === null ? '' : `: ${why}`}`);
  }
}

/** A transaction has not reached the status within the time of the caller. It goes on. */
export class WaitTimeoutError extends RelayerClientError {
  constructor(
    readonly transaction: Transaction,
    wanted: string,
  ) {
    const { id, status, status_reason: reason } = transaction;
    super(`Transaction ${id} is not ${wanted} but ${status}${reason === null ? '' : `: ${reason}`}`);
  }
}

/** A JSON-RPC call got an error from a node, or none of them responded. */
export class JsonRpcError extends RelayerClientError {
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
  }
}

/** A request that claims to be an event is not one of the service, or is too old. */
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

/** The error of a failed response, in the class of its status. */
export const toApiError = (failure: Failure): ApiError => new (CLASSES[failure.status] ?? ApiError)(failure);

/** Whether the same request may succeed a little later. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TooManyRequestsError ||
  error instanceof UnavailableError;
