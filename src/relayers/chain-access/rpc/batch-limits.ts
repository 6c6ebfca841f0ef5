import type { BytePieces } from '../../../common/http/byte-pieces';
import { RpcUnavailableError } from '../../../chains/rpc/endpoint-error';
import type { JsonRpcError } from '../../../chains/rpc/json-rpc';

/** A response of up to this size is never dropped: it may be the hash of a transaction that was sent. */
const SMALL_BYTES = 4096;

/** EIP-1474: limit exceeded. */
const LIMIT_EXCEEDED = -32005;

type Failure = RpcUnavailableError['failure'];

/** Failures that affect every call. After any other failure, an endpoint may respond to the next call. */
const WHATEVER_IS_ASKED: ReadonlySet<Failure> = new Set([
  'refused',
  'dns',
  'connection',
  'tls',
  'wrong_chain',
]);
/** A heavy call may be the reason for a single timeout, but a batch must not wait for many. */
const MAX_TIMEOUTS = 2;

/** The state shared by the calls of one batch: the space for their responses, and whether endpoints respond at all. */
export class BatchLimits {
  /** The error that replaces a response that does not fit. */
  readonly noRoom: JsonRpcError;
  private room: number;
  private isFull = false;
  private timeouts = 0;
  private unavailable: RpcUnavailableError | undefined;

  /** @param maxBytes the maximum size of all responses together */
  constructor(maxBytes: number) {
    this.room = maxBytes;
    const message = `The responses of the batch exceed ${maxBytes} bytes: request less at once`;
    this.noRoom = { code: LIMIT_EXCEEDED, message };
  }

  /**
   * Makes a call, unless an earlier one has shown that it cannot succeed.
   *
   * @returns undefined if there is no space for a response
   * @throws RpcUnavailableError
   */
  async ask<T>(question: () => Promise<T>): Promise<T | undefined> {
    if (this.unavailable) throw this.unavailable;
    if (this.isFull) return undefined;
    try {
      return await question();
    } catch (error) {
      if (error instanceof RpcUnavailableError && this.isHopeless(error.failure)) this.unavailable ??= error;
      throw error;
    }
  }

  /** Reserves space for a response. @returns false if there is none */
  admit({ length }: BytePieces): boolean {
    if (length > Math.max(this.room, SMALL_BYTES)) {
      this.isFull = true;
      return false;
    }
    this.room -= length;
    return true;
  }

  /** Whether further calls cannot succeed after this failure. */
  private isHopeless(failure: Failure): boolean {
    if (failure === 'timeout') this.timeouts += 1;
    return WHATEVER_IS_ASKED.has(failure) || this.timeouts >= MAX_TIMEOUTS;
  }
}
