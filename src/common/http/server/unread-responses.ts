import type { ServerResponse } from 'node:http';
import type { Express, Response } from 'express';
import { connectionOf } from './connection';

type End = (this: Response, ...parameters: unknown[]) => Response;

/**
 * Limits the memory of responses that clients do not read. Bytes count from the end of a response until the operating
 * system has accepted them. Beyond the limit, the connections that have waited longest are closed: a client that does
 * read finishes within milliseconds.
 */
export class UnreadResponses {
  /** Oldest first. */
  private readonly unread = new Map<ServerResponse, number>();
  private total = 0;

  constructor(private readonly maxBytes: number) {}

  get bytes(): number {
    return this.total;
  }

  /** Starts to count all responses of an application, including those that no handler sends. */
  watch(application: Express): void {
    const end = Reflect.get(application.response, 'end') as unknown as End;
    const count = (response: ServerResponse): void => {
      if (response.writableLength > 0 && !response.req.socket.destroyed) this.add(response);
    };
    Object.defineProperty(application.response, 'end', {
      configurable: true,
      writable: true,
      value: function endAndCount(this: Response, ...parameters: unknown[]): Response {
        const result = end.apply(this, parameters);
        count(this);
        return result;
      },
    });
  }

  private add(response: ServerResponse): void {
    if (this.unread.has(response)) return;
    const bytes = response.writableLength;
    this.unread.set(response, bytes);
    this.total += bytes;
    response.once('close', () => this.remove(response));
    for (const oldest of this.unread.keys()) {
      // The newest response has not waited yet, and a single response may have any size.
      if (this.total <= this.maxBytes || oldest === response) return;
      this.close(oldest);
    }
  }

  private close(response: ServerResponse): void {
    const { socket } = response.req;
    const connection = connectionOf(socket);
    this.remove(response);
    if (!connection) {
      socket.destroy();
      return;
    }
    for (const exchange of connection.exchanges) this.remove(exchange.response);
    connection.owner.close(connection, 'unread_bytes');
  }

  private remove(response: ServerResponse): void {
    this.total -= this.unread.get(response) ?? 0;
    this.unread.delete(response);
  }
}
