import type { Worker } from 'node:cluster';

/** A connection as the primary accepted it. */
interface Connection {
  close(): void;
}

/** What the primary of `node:cluster` sends to a worker. */
interface InternalMessage {
  act?: unknown;
  seq?: unknown;
}

/**
 * The connections that the primary has handed to workers, and that these have not accepted yet. Node forgets those of a
 * worker that ends, so that their clients would wait forever.
 *
 * This relies on the messages of `node:cluster`, which are not documented. If they change, it does nothing.
 */
export class HandedConnections {
  private readonly handed = new Map<Worker, Map<number, Connection>>();

  watch(worker: Worker): void {
    const open = new Map<number, Connection>();
    this.handed.set(worker, open);
    const { process } = worker;
    const send = process.send.bind(process) as (...sent: unknown[]) => boolean;
    process.send = (...sent: unknown[]): boolean => {
      const [message, connection] = sent as [InternalMessage, Connection | undefined];
      if (message.act === 'newconn' && typeof message.seq === 'number' && connection)
        open.set(message.seq, connection);
      return send(...sent);
    };
    process.on('internalMessage', ({ ack }: { ack?: unknown }) => {
      if (typeof ack === 'number') open.delete(ack);
    });
  }

  /**
   * Must be called when Node no longer hands connections to a worker.
   *
   * @param areOthersListening whether others can take over its connections, which are closed otherwise
   */
  release(worker: Worker, areOthersListening: boolean): void {
    const open = this.handed.get(worker);
    this.handed.delete(worker);
    for (const [seq, connection] of open ?? []) {
      // The refusal of a worker that is stopping, after which Node hands the connection to another one.
      if (areOthersListening)
        worker.process.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: false });
      else connection.close();
    }
  }
}
