import type { BytePieces } from '../common/http/byte-pieces';
import type { DestinationPurpose } from './destination';

/** A GET of an address that a user gave. */
export interface OutboundQuestion {
  /** http or https, may carry user info (sent as Basic authorization, never part of the request line). */
  url: string;
  /** What `OUTBOUND_ALLOW` is asked about. */
  purpose: DestinationPurpose;
  headers?: Readonly<Record<string, string>>;
  /** The whole exchange: name lookup, connecting, TLS, headers, body. */
  timeoutMs: number;
  /** How much of the answer's body is read. */
  maxBytes: number;
  /** What an answer that is longer gets: 'fail' (OutboundError too_large) or 'truncate' (the first maxBytes, connection dropped). */
  onTooLarge: 'fail' | 'truncate';
  signal?: AbortSignal;
}

/** A POST to such an address. */
export interface OutboundRequest extends OutboundQuestion {
  body: string | Buffer;
}

/** What the other side answered, whatever its status: redirects are not followed, nothing is decompressed. */
export interface OutboundResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it was received. */
  pieces: BytePieces;
  /** The body in one buffer. */
  readonly body: Buffer;
  truncated: boolean;
  /**
   * Keeps the body beyond the end of `postThen`.
   *
   * @returns gives its memory back; to be called once nobody uses the bytes any more
   */
  keep: () => () => void;
  /** Of the socket that the response came from. */
  remoteAddress: string;
}
