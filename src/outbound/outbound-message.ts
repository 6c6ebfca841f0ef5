import type { BytePieces } from '../common/http/byte-pieces';
import type { Sharer } from '../common/http/client-shares';
import type { DestinationPurpose } from './destination';

/** A GET request to a URL that a user has configured. */
export interface OutboundGetRequest {
  /** http or https; may contain user info, which is sent as Basic authorization and never in the request line. */
  url: string;
  /** Matched against the entries of `OUTBOUND_ALLOW`. */
  purpose: DestinationPurpose;
  /** Whether the URL is in `custom_rpc_urls`: looking up its name then delays no call to the nodes of networks. */
  isCustom?: boolean;
  headers?: Readonly<Record<string, string>>;
  /**
   * Whether the request is made on behalf of a client. Such requests use separate connections and separate memory for
   * responses, so that the service's own requests do not wait for them or fail because of them.
   */
  isForwarded?: boolean;
  /** The client, if it has a share of the connections for forwarded requests. */
  sharer?: Sharer | undefined;
  /** The name of the operation in traces; by default the purpose. */
  operation?: string;
  /** Covers the whole exchange: name lookup, connecting, TLS, headers, body. */
  timeoutMs: number;
  /** The maximum number of bytes of the response body to read. */
  maxBytes: number;
  /**
   * What to do if the body is longer: 'truncate' returns the first maxBytes and closes the connection. 'fail' throws an
   * OutboundError too_large if the status is 2xx; any other status explains itself, so the body is truncated.
   */
  onTooLarge: 'fail' | 'truncate';
  signal?: AbortSignal;
}

/** A POST request to a URL that a user has configured. */
export interface OutboundRequest extends OutboundGetRequest {
  body: string | Buffer;
}

/** The memory of a body that is retained. */
export interface RetainedBody {
  /**
   * Call it when something else limits the memory from now on, so that it no longer counts against the memory for
   * responses. The bytes remain valid.
   */
  handOver: () => void;
  /** Releases the memory. Call it once the bytes are no longer used. */
  release: () => void;
}

/** A response with any status. Redirects are not followed, and nothing is decompressed. */
export interface OutboundResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it was received. */
  pieces: BytePieces;
  /** The body in one buffer. */
  readonly body: Buffer;
  truncated: boolean;
  /** Keeps the body valid beyond the end of `postThen`. */
  retain: () => RetainedBody;
  /** The address of the server that sent the response. */
  remoteAddress: string;
}
