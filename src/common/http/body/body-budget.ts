import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { Response } from 'express';
import type { DomainError } from '../../errors/domain-error';
import { overloaded } from '../../errors/retry-later.error';

/** Reserves bytes. Returns the failure `overloaded` if there is no room for them. */
export type Reserve = (bytes: number) => DomainError | undefined;

interface Reservation {
  bytes: number;
  /** Whether the bytes are part of the sum. */
  isCounted: boolean;
  isClosed: boolean;
  isHandled: boolean;
}

/**
 * Limits the bytes of request bodies that this process holds, each from its arrival until the response has been sent
 * and the handler has ended. A client that disconnects does not end the handler, which still holds the body.
 */
@Injectable()
export class BodyBudget {
  private readonly maxBytes: number;
  private readonly reservations = new WeakMap<Response, Reservation>();
  private used = 0;

  constructor(config: ConfigService<{ http: { maxBodyBytes: number } }, true>) {
    this.maxBytes = config.get('http', { infer: true }).maxBodyBytes;
  }

  get bytes(): number {
    return this.used;
  }

  /**
   * @returns a function that reserves bytes for the request of `response`; they are released when the response is
   * closed, unless a handler then {@link hold}s them
   */
  open(response: Response): Reserve {
    // If the connection is already closed, there is no further `close` event.
    const isClosed = response.req.socket.destroyed;
    const reservation: Reservation = { bytes: 0, isCounted: !isClosed, isClosed, isHandled: false };
    this.reservations.set(response, reservation);
    response.once('close', () => {
      reservation.isClosed = true;
      if (!reservation.isHandled) this.uncount(reservation);
    });
    return (bytes) => {
      reservation.bytes += bytes;
      if (!reservation.isCounted) return undefined;
      if (this.used + bytes > this.maxBytes) {
        reservation.bytes -= bytes;
        return tooMany();
      }
      this.used += bytes;
      return undefined;
    };
  }

  /**
   * Keeps the bytes of a request reserved while its handler runs, even if its response is closed earlier.
   *
   * @returns a function to call when the handler has ended; undefined if the request has no body
   * @throws DomainError `overloaded` if the response is already closed, and there is no room any more
   */
  hold(response: Response): (() => void) | undefined {
    const reservation = this.reservations.get(response);
    if (!reservation) return undefined;
    if (!reservation.isCounted) {
      if (this.used + reservation.bytes > this.maxBytes) throw tooMany();
      this.used += reservation.bytes;
      reservation.isCounted = true;
    }
    reservation.isHandled = true;
    return () => {
      reservation.isHandled = false;
      if (reservation.isClosed) this.uncount(reservation);
    };
  }

  private uncount(reservation: Reservation): void {
    if (!reservation.isCounted) return;
    reservation.isCounted = false;
    this.used -= reservation.bytes;
  }
}

const tooMany = (): DomainError => overloaded('too many request bodies are being processed; see Retry-After');
