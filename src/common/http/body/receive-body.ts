import type { Request } from 'express';
import type { Reserve } from './body-budget';
import { bodyEndedEarly, bodyTooLarge } from './body-errors';
import { MAX_BODY_BYTES } from './body-length';

/**
 * Reads a body that is still arriving. The server's `requestTimeout` limits the time.
 *
 * @param reserve called for each piece before it is stored
 * @throws DomainError `payload_too_large` beyond 1 MiB, `overloaded` if there is no room, `invalid_request` if the
 * connection ends before the body does; the rest is not read
 */
export function receiveBody(request: Request, reserve: Reserve): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const stop = (): void => {
      request.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
    };
    const onData = (piece: Buffer): void => {
      length += piece.length;
      const fault = length > MAX_BODY_BYTES ? bodyTooLarge() : reserve(piece.length);
      if (!fault) {
        pieces.push(piece);
        return;
      }
      stop();
      request.pause();
      reject(fault);
    };
    const onEnd = (): void => {
      stop();
      resolve(Buffer.concat(pieces, length));
    };
    const onClose = (): void => {
      stop();
      // If there is a listener, Node reports a broken connection as an error of the request.
      request.on('error', () => undefined);
      reject(bodyEndedEarly());
    };
    request.on('data', onData).once('end', onEnd).once('error', onClose).once('close', onClose);
  });
}
