import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { ResponseBody } from './response-body';
import { connectFailure, type Destination, failure } from './destination';
import { OutboundError, type OutboundFailure } from './outbound-error';
import type { OutboundResponse, OutboundRequest } from './outbound-message';
import type { ResponseBuffers } from './response-buffers';

type Headers = OutboundResponse['headers'];

/**
 * More interim responses (RFC 9110, 15.2) than a server has reason to send. Reading one costs more than writing one.
 * undici itself ends the exchange at the first `100 Continue`, because the service does not ask for one.
 */
const MAX_INTERIM_RESPONSES = 8;

/**
 * This many chunks are always read. Beyond that, chunks must have this many bytes on average, because reading a chunk
 * costs as much as reading a kilobyte.
 */
const MAX_SMALL_CHUNKS = 1024;
const AVERAGE_CHUNK_BYTES = 256;

/** Connections that have already carried an exchange. */
const used = new WeakSet<Socket>();

/** One request and its response on one connection. */
export class OutboundExchange implements Dispatcher.DispatchHandler {
  readonly response: Promise<OutboundResponse>;
  /** The connection of the exchange; set before the exchange starts. */
  via: { socket?: Socket } = {};

  private resolve!: (response: OutboundResponse) => void;
  private reject!: (error: OutboundError) => void;
  private settled = false;
  private isRetained = false;
  private controller: Dispatcher.DispatchController | undefined;
  private socket: Socket | undefined;
  private reused = false;
  private bytesBefore = 0;
  private status = 0;
  private interim = 0;
  private chunks = 0;
  private headers: Headers = {};
  private readonly body: ResponseBody;

  constructor(
    readonly destination: Destination,
    readonly signal: AbortSignal,
    private readonly limit: Pick<OutboundRequest, 'maxBytes' | 'onTooLarge'>,
    buffers: ResponseBuffers,
  ) {
    this.body = new ResponseBody(`${destination.hostname}:${destination.port}`, limit.maxBytes, buffers);
    this.response = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    if (signal.aborted) this.onAbort();
    else signal.addEventListener('abort', this.onAbort, { once: true });
  }

  /**
   * Whether the server had closed the kept-alive connection without a response, so that the request may be repeated.
   */
  get hitClosedConnection(): boolean {
    return this.reused && !this.responseBegan;
  }

  /** Called when the response has been read: its memory may be reused, unless the reader retains it. */
  release(): void {
    if (!this.isRetained) this.body.release();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // If this throws, undici drops the request and keeps the connection.
    if (this.settled) throw new OutboundError('aborted', 'The call has already ended');
    this.controller = controller;
    const { socket } = this.via;
    if (!socket) return;
    this.socket = socket;
    this.reused = used.has(socket);
    this.bytesBefore = socket.bytesRead;
    used.add(socket);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) {
      this.interim += 1;
      if (this.interim > MAX_INTERIM_RESPONSES) this.fail(this.unfinished());
      return;
    }
    this.status = status;
    this.headers = headers;
    if (!this.mayTruncate && Number(headers['content-length']) > this.limit.maxBytes) this.failTooLarge();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // The connection is closed once undici has parsed the data that it has already read.
    if (this.settled) return;
    const { room } = this.body;
    this.chunks += 1;
    const expected = MAX_SMALL_CHUNKS + (this.limit.maxBytes - room) / AVERAGE_CHUNK_BYTES;
    if (this.chunks > expected) this.failAs('too_large', 'responded in too many small chunks');
    else if (chunk.length > room && !this.mayTruncate) this.failTooLarge();
    else if (!this.body.append(chunk.subarray(0, room)))
      this.failAs('overloaded', 'responded with more than there is memory for at the moment');
    else if (chunk.length > room) this.succeed(true);
  }

  onResponseEnd(): void {
    this.succeed(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error instanceof OutboundError ? error : this.explain(error));
  }

  private get mayTruncate(): boolean {
    return this.limit.onTooLarge === 'truncate' || this.status >= 300;
  }

  private get responseBegan(): boolean {
    return this.status !== 0 || (this.socket !== undefined && this.socket.bytesRead > this.bytesBefore);
  }

  private explain(error: Error): OutboundError {
    return this.responseBegan ? this.unfinished() : connectFailure(this.destination, error);
  }

  private unfinished(): OutboundError {
    return failure('cut_off', this.destination, 'did not finish its response');
  }

  private readonly onAbort = (): void => this.fail(this.signal.reason as OutboundError);

  private failTooLarge(): void {
    this.failAs('too_large', `returned more than ${this.limit.maxBytes} bytes`);
  }

  private failAs(kind: OutboundFailure, text: string): void {
    this.fail(failure(kind, this.destination, text));
  }

  private succeed(truncated: boolean): void {
    if (!this.settle()) return;
    const { status, headers } = this;
    const { pieces } = this.body;
    this.resolve({
      status,
      headers,
      pieces,
      get body() {
        return pieces.toBuffer();
      },
      retain: () => {
        this.isRetained = true;
        return {
          handOver: () => this.body.handOver(),
          release: () => this.body.release(),
        };
      },
      truncated,
      remoteAddress: this.socket?.remoteAddress ?? '',
    });
    if (truncated) this.drop();
  }

  private fail(error: OutboundError): void {
    if (!this.settle()) return;
    this.reject(error);
    this.release();
    this.drop();
  }

  private settle(): boolean {
    if (this.settled) return false;
    this.settled = true;
    this.signal.removeEventListener('abort', this.onAbort);
    return true;
  }

  /** Closes the connection, without reading the rest of the response. */
  private drop(): void {
    this.controller?.abort(new OutboundError('aborted', 'The call has already ended'));
  }
}
