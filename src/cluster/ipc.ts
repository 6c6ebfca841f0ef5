import { type DomainError, unavailable } from '../common/errors/domain-error';

/** The timeout of calls that the other side can respond to immediately. */
export const RESPONSE_TIMEOUT_MS = 2_000;
const MAX_PENDING = 10_000;

/** The other end of the channel: `process` in a worker, a `Worker` in the primary. */
export interface Peer {
  send?(message: object): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

export type Handler = (request: unknown) => unknown;

type Message = { call: string; id: number; request: unknown } | { responseTo: number; response: unknown };

interface Pending {
  resolve: (response: unknown) => void;
  timer: NodeJS.Timeout;
}

/** Calls between a worker and the primary of its cluster, in both directions. */
export class Ipc {
  private readonly handlers = new Map<string, Handler>();
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;

  constructor(private readonly peer: Peer) {
    peer.on('message', (message) => {
      if (isMessage(message)) this.receive(message);
    });
  }

  /** Registers the handler for one kind of call. If the handler fails, the call gets no response. */
  handle(kind: string, handler: Handler): void {
    this.handlers.set(kind, handler);
  }

  /** @throws DomainError `unavailable` if there is no response in time */
  call(kind: string, request?: unknown, timeoutMs = RESPONSE_TIMEOUT_MS): Promise<unknown> {
    if (this.pending.size >= MAX_PENDING) return Promise.reject(noResponse());
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.pending.delete(id);
        reject(noResponse());
      }, timeoutMs);
      this.pending.set(id, { resolve, timer });
      try {
        this.peer.send?.({ call: kind, id, request } satisfies Message);
      } catch {
        this.take(id);
        reject(noResponse());
      }
    });
  }

  private receive(message: Message): void {
    if ('call' in message) {
      void this.respond(message.id, message.call, message.request);
      return;
    }
    this.take(message.responseTo)?.resolve(message.response);
  }

  private take(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    clearTimeout(pending?.timer);
    return pending;
  }

  private async respond(id: number, kind: string, request: unknown): Promise<void> {
    try {
      const response = await this.handlers.get(kind)?.(request);
      this.peer.send?.({ responseTo: id, response } satisfies Message);
    } catch {
      // The caller's timeout reports it.
    }
  }
}

function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && ('call' in message || 'responseTo' in message);
}

const noResponse = (): DomainError => unavailable('another process of the service does not respond');
