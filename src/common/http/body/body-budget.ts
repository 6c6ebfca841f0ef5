import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { Response } from 'express';
import type { DomainError } from '../../errors/domain-error';
import { overloaded } from '../../errors/retry-later.error';
import { ClientShares, type Sharer } from '../client-shares';

/**
 * What bodies of one API key, or of one client address without a key, may use of the memory that all others leave; more
 * get 503. The root key may use all.
 * @limit Request bodies
 */
const MEMORY_PERCENT = 80;
/** Reserves bytes. Returns the failure `overloaded` if there is no room for them. */
export type Reserve = (bytes: number) => DomainError | undefined;

interface Reservation {
  readonly sharer: Sharer | undefined;
  bytes: number;
  /** Whether the bytes are part of the sum. */
  isCounted: boolean;
  isClosed: boolean;
  isHandled: boolean;
}

/**
 * Limits the bytes of request bodies that this process holds, each from its arrival until the response has been sent
 * and the handler has ended. A client that disconnects does not end the handler, which still holds the body. No API key
 * can use up what others need.
 */
@Injectable()
export class BodyBudget {
  private readonly held: ClientShares;
  private readonly reservations = new WeakMap<Response, Reservation>();

  constructor(config: ConfigService<{ http: { maxBodyBytes: number } }, true>) {
    this.held = new ClientShares(config.get('http.maxBodyBytes', { infer: true }), MEMORY_PERCENT);
  }

  get bytes(): number {
    return this.held.inUse;
  }

  /**
   * @param sharer whose share the bytes count against; undefined if only the total matters
   * @returns a function that reserves bytes for the request of `response`; they are released when the response is
   * closed, unless a handler then {@link hold}s them
   */
  open(response: Response, sharer: Sharer | undefined): Reserve {
    const isClosed = hasClosed(response);
    const reservation: Reservation = { sharer, bytes: 0, isCounted: !isClosed, isClosed, isHandled: false };
    this.reservations.set(response, reservation);
    response.once('close', () => {
      reservation.isClosed = true;
      if (!reservation.isHandled) this.uncount(reservation);
    });
    return (bytes) => {
      reservation.bytes += bytes;
      if (!reservation.isCounted) return undefined;
      const whose = this.held.take(bytes, sharer);
      if (whose === undefined) return undefined;
      reservation.bytes -= bytes;
      return tooMany(whose);
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
      const whose = this.held.take(reservation.bytes, reservation.sharer);
      if (whose !== undefined) throw tooMany(whose);
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
    this.held.release(reservation.bytes, reservation.sharer);
  }
}

/** Whether there is no further `close` event. */
const hasClosed = (response: Response): boolean => response.destroyed || response.req.socket.destroyed;

const tooMany = (whose: string): DomainError =>
  overloaded(`too many request bodies${whose} are being processed; see Retry-After`);
