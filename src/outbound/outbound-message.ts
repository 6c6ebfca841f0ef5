import type { BytePieces } from '../common/http/byte-pieces';
import type { DestinationPurpose } from './destination';

/** A GET request to a URL that a user configured. */
export interface OutboundGetRequest {
  /** http or https, may carry user info (sent as Basic authorization, never part of the request line). */
  url: string;
  /** Matched against the entries of `OUTBOUND_ALLOW`. */
  purpose: DestinationPurpose;
  headers?: Readonly<Record<string, string>>;
  /** Made for a client and not for the service itself: has other connections, so that the service's own do not wait for it. */
  isForwarded?: boolean;
  /** What it does, for traces; the purpose where left out. */
  operation?: string;
  /** For the whole exchange: name lookup, connecting, TLS, headers, body. */
  timeoutMs: number;
  /** How many bytes of the response body are read. */
  maxBytes: number;
  /**
   * For a longer body: 'truncate' (the first maxBytes; the connection is closed), or 'fail' (OutboundError too_large where the
   * status is 2xx; of others, which the status explains, the first maxBytes).
   */
  onTooLarge: 'fail' | 'truncate';
  signal?: AbortSignal;
}

/** A POST request to such a URL. */
export interface OutboundRequest extends OutboundGetRequest {
  body: string | Buffer;
}

/** A response of any status: redirects are not followed, nothing is decompressed. */
export interface OutboundResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it was received. */
  pieces: BytePieces;
  /** The body in one buffer. */
  readonly body: Buffer;
  truncated: boolean;
  /**
   * Retains the body beyond the end of `postThen`.
   *
   * @returns a function that releases its memory; call it once the bytes are no longer used
   */
  retain: () => () => void;
  /** Address of the server that sent the response. */
  remoteAddress: string;
}
