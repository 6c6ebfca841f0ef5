export { type Authentication, bearer, type OutgoingRequest } from './authentication.ts';
export type { AnyOptions, ApiRoutes, Page } from './api-routes.ts';
export { RelayerClient } from './client.ts';
export type { Success } from './envelope.ts';
export {
  ApiError,
  ApprovalPendingError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  JsonRpcError,
  NotFoundError,
  RelayerClientError,
  TooManyRequestsError,
  TransactionAcceptedError,
  TransactionEndedError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedResponseError,
  WaitTimeoutError,
  WebhookVerificationError,
} from './errors.ts';
export { Relayer, type SendOptions, type TransactionFilters, type WaitOptions } from './relayer.ts';
export type * from './resources.ts';
export type { DataOf, ItemOf, ListParameters, ListPath, PagedPath, Parameters, PathOf } from './routes.ts';
export type { RetryOptions } from './retries.ts';
export { importPrivateKey, type PrivateKey, signedRequests } from './signed-requests.ts';
export type { CallOptions, RelayerClientOptions } from './transport.ts';
export {
  type VerificationOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookRequest,
} from './webhooks.ts';
