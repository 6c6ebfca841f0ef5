import type { Response } from 'express';
import type { BytePieces } from './byte-pieces';

/**
 * Bodies of at least this size are sent in their pieces; for smaller ones, copying is cheaper than the system calls.
 */
const LARGE_BYTES = 64 * 1024;

/**
 * A body whose bytes were received from elsewhere and are sent unchanged. Handlers with `@SkipEnvelope()` return it.
 */
export class RawBody {
  /**
   * @param onSent called once, when the body has been sent or will not be sent
   * @param onSending called when the body counts as a response that the client has not read
   */
  constructor(
    readonly bytes: BytePieces,
    private readonly onSent: () => void = () => undefined,
    private readonly onSending: () => void = () => undefined,
  ) {}

  /** Sends the bytes as the body of a response whose other headers are set. */
  send(response: Response): void {
    if (response.writableEnded || response.destroyed) {
      this.onSent();
      return;
    }
    response.once('close', this.onSent);
    response.setHeader('Content-Length', this.bytes.length);
    if (this.bytes.length < LARGE_BYTES) {
      response.end(this.bytes.toBuffer());
    } else {
      for (const piece of this.bytes.pieces) response.write(piece);
      response.end();
    }
    this.onSending();
  }
}
