import { DomainError } from '../common/errors/domain-error';

/** How long an answer is waited for that the other side has at hand. */
export const RESPONSE_TIMEOUT_MS = 2_000;
const MAX_PENDING = 10_000;

/** What a process of a cluster and its primary have in common: `process` in the one, a `Worker` in the other. */
export interface Peer {
  send?(message: object): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

export type Handler = (question: unknown) => unknown;

type Message = { ask: string; id: number; question: unknown } | { answerTo: number; answer: unknown };

interface Pending {
  resolve: (answer: unknown) => void;
  timer: NodeJS.Timeout;
}

/** Questions and answers between a process and the primary of its cluster; either side may ask. */
export class Ipc {
  private readonly handlers = new Map<string, Handler>();
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;

  constructor(private readonly peer: Peer) {
    peer.on('message', (message) => {
      if (isMessage(message)) this.receive(message);
    });
  }

  /** Answers questions of one kind from now on. A handler that fails leaves the question unanswered. */
  handle(kind: string, handler: Handler): void {
    this.handlers.set(kind, handler);
  }

  /** @throws DomainError `unavailable` where there is no answer in time */
  ask(kind: string, question?: unknown, timeoutMs = RESPONSE_TIMEOUT_MS): Promise<unknown> {
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
        this.peer.send?.({ ask: kind, id, question } satisfies Message);
      } catch {
        this.take(id);
        reject(noResponse());
      }
    });
  }

  private receive(message: Message): void {
    if ('ask' in message) {
      void this.reply(message.id, message.ask, message.question);
      return;
    }
    this.take(message.answerTo)?.resolve(message.answer);
  }

  private take(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    clearTimeout(pending?.timer);
    return pending;
  }

  private async reply(id: number, kind: string, question: unknown): Promise<void> {
    try {
      const answer = await this.handlers.get(kind)?.(question);
      this.peer.send?.({ answerTo: id, answer } satisfies Message);
    } catch {
      // The asker's time-out tells it.
    }
  }
}

function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && ('ask' in message || 'answerTo' in message);
}

const noResponse = (): DomainError =>
  new DomainError('unavailable', 'Service Unavailable', 'another process of the service does not answer');
