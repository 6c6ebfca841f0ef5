import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { Response } from 'express';
import type { DomainError } from '../../errors/domain-error';
import { overloaded } from '../../errors/retry-later.error';

/** Reserves bytes. Returns the failure `overloaded` if there is no room for them. */
export type Reserve = (bytes: number) => DomainError | undefined;

/**
 * Limits the bytes of request bodies that this process holds, each from its arrival until the response has been sent.
 */
@Injectable()
export class BodyBudget {
  private readonly maxBytes: number;
  private used = 0;

  constructor(config: ConfigService<{ http: { maxBodyBytes: number } }, true>) {
    this.maxBytes = config.get('http', { infer: true }).maxBodyBytes;
  }

  get bytes(): number {
    return this.used;
  }

  /**
   * @returns a function that reserves bytes for the request of `response`; they are released when the response is
   * closed
   */
  open(response: Response): Reserve {
    // If the connection is already closed, there is no further `close` event.
    let [reserved, isOver] = [0, response.req.socket.destroyed];
    response.once('close', () => {
      this.used -= reserved;
      isOver = true;
    });
    return (bytes) => {
      if (isOver) return undefined;
      if (this.used + bytes > this.maxBytes)
        return overloaded('too many request bodies are being processed; see Retry-After');
      reserved += bytes;
      this.used += bytes;
      return undefined;
    };
  }
}
