import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { ResponseBody } from './response-body';
import { connectFailure, type Destination, failure } from './destination';
import { OutboundError } from './outbound-error';
import type { OutboundResponse, OutboundRequest } from './outbound-message';
import type { ResponseBuffers } from './response-buffers';

type Headers = OutboundResponse['headers'];

/** More of them (RFC 9110, 15.2) than any server has a reason to send; each costs more to read than to write. */
const MAX_INTERIM_RESPONSES = 8;

/** So many chunks are always read; beyond, they must have this many bytes on average: each costs as much as a kilobyte does. */
const MAX_SMALL_CHUNKS = 1024;
const AVERAGE_CHUNK_BYTES = 256;

/** Connections that carried an exchange before. */
const used = new WeakSet<Socket>();

/** One request and its answer on one connection. */
export class OutboundExchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<OutboundResponse>;
  /** The connection that the exchange is given; set before it starts. */
  via: { socket?: Socket } = {};

  private resolve!: (answer: OutboundResponse) => void;
  private reject!: (error: OutboundError) => void;
  private settled = false;
  private isKept = false;
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
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    if (signal.aborted) this.onAbort();
    else signal.addEventListener('abort', this.onAbort, { once: true });
  }

  /** The other side had closed the connection that it kept alive, and answered nothing: the request may be repeated. */
  get metClosedConnection(): boolean {
    return this.reused && !this.answerBegan;
  }

  /** The answer was read: its memory may be used for others, unless the reader keeps it. */
  release(): void {
    if (!this.isKept) this.body.release();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Thrown, undici drops the request and keeps the connection.
    if (this.settled) throw new OutboundError('aborted', 'Nobody waits for the answer');
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
      if (this.interim > MAX_INTERIM_RESPONSES) this.failUnfinished();
      return;
    }
    this.status = status;
    this.headers = headers;
    const { maxBytes, onTooLarge } = this.limit;
    if (onTooLarge === 'fail' && Number(headers['content-length']) > maxBytes) this.failTooLarge();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // The connection is closed at the end of what was read from it.
    if (this.settled) return;
    const { room } = this.body;
    this.chunks += 1;
    const expected = MAX_SMALL_CHUNKS + (this.limit.maxBytes - room) / AVERAGE_CHUNK_BYTES;
    if (this.chunks > expected) this.failTooManyChunks();
    else if (chunk.length > room && this.limit.onTooLarge === 'fail') this.failTooLarge();
    else if (!this.body.append(chunk.subarray(0, room))) this.failOverloaded();
    else if (chunk.length > room) this.succeed(true);
  }

  onResponseEnd(): void {
    this.succeed(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error instanceof OutboundError ? error : this.explain(error));
  }

  private get answerBegan(): boolean {
    return this.status !== 0 || (this.socket !== undefined && this.socket.bytesRead > this.bytesBefore);
  }

  private explain(error: Error): OutboundError {
    return this.answerBegan ? this.unfinished() : connectFailure(this.destination, error);
  }

  private unfinished(): OutboundError {
    return failure('cut_off', this.destination, 'did not finish its answer');
  }

  private readonly onAbort = (): void => {
    this.fail(this.signal.reason as OutboundError);
  };

  private failUnfinished(): void {
    this.fail(this.unfinished());
  }

  private failTooLarge(): void {
    this.fail(failure('too_large', this.destination, `answered more than ${this.limit.maxBytes} bytes`));
  }

  private failTooManyChunks(): void {
    this.fail(failure('too_large', this.destination, 'answered in too many small chunks'));
  }

  private failOverloaded(): void {
    const text = 'answered more than there is memory for at the moment';
    this.fail(failure('overloaded', this.destination, text));
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
      keep: () => {
        this.isKept = true;
        return () => {
          this.body.release();
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

  /** Closes the connection: the rest of the answer is not read. */
  private drop(): void {
    this.controller?.abort(new OutboundError('aborted', 'Nobody waits for the answer'));
  }
}
