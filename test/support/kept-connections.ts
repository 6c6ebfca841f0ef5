import { Agent, request } from 'node:http';
import type { Call } from './http';

/**
 * Clients that keep one connection each, and send the same request repeatedly until a new connection is refused. They
 * record what becomes of their connections.
 */
export class KeptConnections {
  responses = 0;
  /** The number of requests that were sent on a connection that had carried another one. */
  reused = 0;
  readonly statuses = new Set<number | undefined>();
  /** The `connection` headers of the responses to requests that were sent after the stop had begun. */
  readonly lateResponses = new Set<string | undefined>();
  /** The faults of requests that were sent on reused connections. */
  readonly lost: string[] = [];
  readonly ended: Promise<unknown>;

  /** @param isStopping whether the service has begun to stop */
  constructor(
    private readonly url: string,
    private readonly call: Call,
    clients: number,
    private readonly isStopping: () => boolean,
  ) {
    this.ended = Promise.all(Array.from({ length: clients }, () => this.loop()));
  }

  private async loop(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (await this.send(agent));
    agent.destroy();
  }

  /** Resolves to false if the request has failed. */
  private send(agent: Agent): Promise<boolean> {
    const { method = 'GET', path, headers = {}, body } = this.call;
    const isLate = this.isStopping();
    return new Promise((resolve) => {
      const sent = request(
        this.url + path,
        { agent, method, headers: { ...headers, 'content-type': 'application/json' } },
        (response) => {
          this.responses += 1;
          if (sent.reusedSocket) this.reused += 1;
          this.statuses.add(response.statusCode);
          if (isLate) this.lateResponses.add(response.headers.connection);
          response.resume();
          response.once('end', () => {
            resolve(true);
          });
        },
      );
      sent.once('error', (error) => {
        if (sent.reusedSocket) this.lost.push(error.message);
        resolve(false);
      });
      sent.end(JSON.stringify(body));
    });
  }
}
