import type { ApiRoutes } from './api-routes.ts';
import {
  ApiError,
  ConnectionError,
  ForbiddenError,
  isTemporary,
  JsonRpcError,
  TransactionEndedError,
  WaitTimeoutError,
} from './errors.ts';
import type {
  RelayerResource,
  SignedMessage,
  SignedTransaction,
  Transaction,
  TransactionBatch,
  TransactionBatchResult,
  TransactionRequest,
  TransactionStatus,
  TypedData,
  TypedDataSignature,
  UnsignedTransaction,
} from './resources.ts';
import type { ListParameters } from './routes.ts';
import { pause } from './retries.ts';
import type { CallOptions } from './transport.ts';

const RELAYER = '/api/v1/relayers/{relayer_id}';
const TRANSACTIONS = `${RELAYER}/transactions` as const;
const TRANSACTION = `${TRANSACTIONS}/{transaction_id}` as const;

/** The maximum time for which the service lets a single request wait for a status. */
const LONG_POLL_MS = 25_000;
const RESPONSE_MS = 10_000;
const PAUSE_MS = 1000;

/**
 * The default time limit of a wait, in milliseconds.
 *
 * @internal
 */
export const WAIT_MS = 600_000;

/** In the order in which they are reached; the last four are final. */
const STATUSES = [
  'pending',
  'sent',
  'submitted',
  'mined',
  'confirmed',
  'failed',
  'canceled',
  'expired',
] as const satisfies readonly TransactionStatus[];
const FINAL: readonly TransactionStatus[] = STATUSES.slice(4);

/** Options for sending a transaction. */
export interface SendOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters. Requests to the same relayer with the same key and body are the same
   * transaction. Provide it, for example as the id of an order, if it must be safe for another process to repeat the
   * request; otherwise each call has a key of its own.
   */
  idempotencyKey?: string;
}

/** Options for waiting. */
export interface WaitOptions {
  /** The status to wait for; by default `confirmed`. `mined` includes `confirmed`. */
  status?: TransactionStatus;
  /**
   * The time limit in milliseconds. Default 600 000. The last response, which says whether the transaction has reached
   * the status, may take up to 10 s more; `signal` ends the wait at once.
   */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** The filters for a list of transactions: those of the route, and members of `metadata`. */
export type TransactionFilters = NonNullable<ListParameters<typeof TRANSACTIONS>['query']> &
  Readonly<Record<`metadata.${string}`, string>>;

/** The operations of one relayer. Errors are those of {@link ApiRoutes}. */
export class Relayer {
  readonly #client: ApiRoutes;

  constructor(
    client: ApiRoutes,
    readonly id: string,
  ) {
    this.#client = client;
  }

  /** The current state of the relayer. */
  get(options?: CallOptions): Promise<RelayerResource> {
    return this.#client.get(RELAYER, { ...options, path: this.#path });
  }

  /**
   * The chain id (EIP-155) of the relayer's network; undefined if the network has none, or the API key may not read
   * networks (`networks:read`).
   */
  async chainId(options?: CallOptions): Promise<bigint | undefined> {
    const { network, network_type: type } = await this.get(options);
    const path = { network_id: `${type}:${network}` };
    try {
      const { chain_id: id } = await this.#client.get('/api/v1/networks/{network_id}', { ...options, path });
      return typeof id === 'number' ? BigInt(id) : undefined;
    } catch (error) {
      if (error instanceof ForbiddenError) return undefined;
      throw error;
    }
  }

  /** Signs EIP-712 typed data. `sig` is `r`, `s` and `v` in hex without `0x`. */
  signTypedData(body: TypedData, options?: CallOptions): Promise<TypedDataSignature> {
    return this.#client.post(`${RELAYER}/sign-typed-data`, { ...options, path: this.#path, body });
  }

  /** Signs a message (EIP-191): a text, or `hex` bytes. */
  signMessage(
    message: string,
    { encoding = 'utf8', ...options }: CallOptions & { encoding?: 'utf8' | 'hex' } = {},
  ): Promise<SignedMessage> {
    const body = { message, encoding };
    return this.#client.post(`${RELAYER}/sign`, { ...options, path: this.#path, body });
  }

  /**
   * Signs a complete transaction without sending it. To send one, use {@link sendTransaction}, which manages nonce and
   * fees.
   */
  signTransaction(transaction: UnsignedTransaction, options?: CallOptions): Promise<SignedTransaction> {
    const body = { transaction };
    return this.#client.post(`${RELAYER}/sign-transaction`, { ...options, path: this.#path, body });
  }

  /**
   * Sends a transaction through the service. When this returns, the transaction has been accepted: it will either be
   * mined once or end with a reason.
   */
  async sendTransaction(body: TransactionRequest, options?: SendOptions): Promise<Transaction> {
    return this.#client.post(TRANSACTIONS, { ...sendOptions(options), path: this.#path, body });
  }

  /**
   * Sends several transactions and assigns nonces in their order. Each has its own result; with `atomic`, either all or
   * none are accepted.
   */
  async sendTransactions(body: TransactionBatch, options?: SendOptions): Promise<TransactionBatchResult> {
    return this.#client.post(`${TRANSACTIONS}/batch`, { ...sendOptions(options), path: this.#path, body });
  }

  /** The current state of a transaction. */
  getTransaction(id: string, options?: CallOptions): Promise<Transaction> {
    return this.#client.get(TRANSACTION, { ...options, path: this.#pathOf(id) });
  }

  /** All matching transactions, in the order of their acceptance. */
  transactions(query: TransactionFilters = {}, options?: CallOptions): AsyncGenerator<Transaction, void> {
    return this.#client.list(TRANSACTIONS, { ...options, path: this.#path, query });
  }

  /**
   * Replaces the content of a transaction that has not been mined. It keeps its id and nonce. If the response is lost,
   * the request is not sent again, unless `isRepeatable` is true: each request replaces whatever the content is then.
   */
  replaceTransaction(id: string, body: TransactionRequest, options?: CallOptions): Promise<Transaction> {
    return this.#client.put(TRANSACTION, { ...options, path: this.#pathOf(id), body });
  }

  /**
   * Cancels a transaction that has not been mined, by using its nonce for a no-op. The outcome depends on which of them
   * is mined, so wait for `canceled`.
   */
  cancelTransaction(id: string, options?: CallOptions): Promise<Transaction> {
    return this.#client.delete(TRANSACTION, { ...options, path: this.#pathOf(id) });
  }

  /**
   * Waits until a transaction has a status, regardless of temporary failures of the service or the network.
   *
   * @throws TransactionEndedError if it ends with a different status
   * @throws WaitTimeoutError if it takes too long; if the service or a proxy then fails as well, the error of the last
   * response, or ConnectionError
   */
  async waitFor(
    id: string,
    { status = 'confirmed', timeoutMs = WAIT_MS, signal }: WaitOptions = {},
  ): Promise<Transaction> {
    // Uses a monotonic clock, because the system clock may be set.
    const end = performance.now() + timeoutMs;
    for (;;) {
      const began = performance.now();
      let askedMs = 0;
      const waitMs = Math.min(LONG_POLL_MS, Math.max(0, end - began));
      try {
        const transaction = await this.#waitOnce(id, status, waitMs, signal);
        if (hasReached(transaction.status, status)) return transaction;
        if (FINAL.includes(transaction.status)) throw new TransactionEndedError(transaction);
        if (performance.now() >= end) throw new WaitTimeoutError(transaction, status);
      } catch (error) {
        if (!isTemporary(error) || performance.now() >= end) throw error;
        askedMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
      }
      // Waits even if the service waited for less time, or not at all. A timer may fire a millisecond early.
      const next = Math.min(Math.max(began + PAUSE_MS, performance.now() + askedMs), end) + 1;
      await pause(Math.max(0, Math.ceil(next - performance.now())), signal);
    }
  }

  /**
   * Makes a JSON-RPC call to a node of the network.
   *
   * @throws JsonRpcError if the node returns an error, or none responds
   */
  async rpc(method: string, params: readonly unknown[] = [], options?: CallOptions): Promise<unknown> {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const request = { ...options, path: this.#path, body, isBare: true };
    const { data } = await this.#client.send('post', `${RELAYER}/rpc`, request);
    const { result, error } = data as {
      result?: unknown;
      error?: { code: number; message: string; data?: unknown };
    };
    if (error) throw new JsonRpcError(error.code, error.message, error.data);
    return result;
  }

  async #waitOnce(
    id: string,
    wait: TransactionStatus,
    waitMs: number,
    signal?: AbortSignal,
  ): Promise<Transaction> {
    const timeoutMs = Math.ceil(waitMs) + RESPONSE_MS;
    // The time limit for all retries together.
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      return await this.#client.get(TRANSACTION, {
        path: this.#pathOf(id),
        query: { wait, timeout: Math.ceil(waitMs / 1000) },
        timeoutMs,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
    } catch (cause) {
      if (!limit.aborted || signal?.aborted) throw cause;
      throw new ConnectionError(`No response in time about transaction ${id}`, { cause });
    }
  }

  get #path(): { relayer_id: string } {
    return { relayer_id: this.id };
  }

  #pathOf(id: string): { relayer_id: string; transaction_id: string } {
    return { relayer_id: this.id, transaction_id: id };
  }
}

/**
 * Adds an idempotency key, so that the request can be retried.
 *
 * @throws TypeError for a key that is not a text: as a header, null would be the same key `null` for every order
 */
function sendOptions({ idempotencyKey = crypto.randomUUID(), ...options }: SendOptions = {}): CallOptions & {
  headers: Record<string, string>;
} {
  const key: unknown = idempotencyKey;
  if (typeof key !== 'string' || key === '')
    throw new TypeError('idempotencyKey must be a text that is not empty');
  return { isRepeatable: true, ...options, headers: { 'idempotency-key': key } };
}

const hasReached = (current: TransactionStatus, wanted: TransactionStatus): boolean =>
  current === wanted ||
  (!FINAL.includes(wanted) &&
    (current === 'confirmed' || !FINAL.includes(current)) &&
    STATUSES.indexOf(current) > STATUSES.indexOf(wanted));
