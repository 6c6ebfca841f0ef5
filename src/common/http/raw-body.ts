import type { Response } from 'express';
import type { BytePieces } from './byte-pieces';

/** From this size a body is sent in its pieces; below it, copying costs less than the system calls. */
const LARGE_BYTES = 64 * 1024;

/** A body that is sent as it is, whose bytes were received from elsewhere. Handlers return it beside `@SkipEnvelope()`. */
export class RawBody {
  /** @param onSent called once, when the body was sent or will not be sent */
  constructor(
    readonly bytes: BytePieces,
    private readonly onSent: () => void = () => undefined,
  ) {}

  /** Sends it as the body of a response whose other headers are set. */
  send(response: Response): void {
    if (response.writableEnded || response.destroyed) {
      this.onSent();
      return;
    }
    response.once('close', this.onSent);
    response.setHeader('Content-Length', this.bytes.length);
    if (this.bytes.length < LARGE_BYTES) {
      response.end(this.bytes.toBuffer());
      return;
    }
    for (const piece of this.bytes.pieces) response.write(piece);
    response.end();
  }
}
