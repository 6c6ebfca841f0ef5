import { getOrCreate } from '../common/get-or-create';
import { ClientShares, type Sharer } from '../common/http/client-shares';

/** Starts a call that waits. */
type Start = () => void;

/** The calls to one origin. */
interface Origin {
  readonly shares: ClientShares;
  /** The calls that wait, by client, first the client that has waited longest for a turn. */
  readonly waiting: Map<string, { sharer: Sharer; starts: Set<Start> }>;
}

/** Here the root key has a share too: otherwise its calls could leave no turn for others. */
const ROOT: Sharer = { id: '', whose: ' of the root key' };

/**
 * The order in which calls for clients get a connection to an origin. Each client may use a part of the connections
 * that all others leave; its further calls wait. So slow calls of one client do not delay those of others.
 */
export class CallTurns {
  private readonly origins = new Map<string, Origin>();

  /**
   * @param total calls to one origin at a time
   * @param percent the part that a client may use of what all others leave
   */
  constructor(
    private readonly total: number,
    private readonly percent: number,
  ) {}

  /**
   * Waits for a turn. Calls of one client get theirs in order.
   *
   * @param sharer undefined for the root key
   * @returns a function to call once when the call has ended
   * @throws the reason of the signal
   */
  async take(name: string, sharer = ROOT, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const origin = getOrCreate(this.origins, name, () => ({
      shares: new ClientShares(this.total, this.percent),
      waiting: new Map(),
    }));
    if (origin.shares.take(1, sharer) !== undefined) await wait(origin, sharer, signal);
    return () => {
      origin.shares.release(1, sharer);
      startWaiting(origin);
      if (origin.shares.inUse === 0) this.origins.delete(name);
    };
  }
}

function wait({ waiting }: Origin, sharer: Sharer, signal: AbortSignal): Promise<void> {
  const { id } = sharer;
  const { starts } = getOrCreate(waiting, id, () => ({ sharer, starts: new Set<Start>() }));
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      signal.removeEventListener('abort', abort);
      starts.delete(start);
      if (starts.size === 0) waiting.delete(id);
    };
    const start = (): void => {
      leave();
      resolve();
    };
    const abort = (): void => {
      leave();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    starts.add(start);
  });
}

/** Starts the calls for which there is room now: one of each client in turn. */
function startWaiting({ shares, waiting }: Origin): void {
  for (const [id, client] of waiting) {
    if (shares.take(1, client.sharer) !== undefined) continue;
    const [start] = client.starts;
    // The client's next call, if it has one, comes after those of all other clients.
    waiting.delete(id);
    if (client.starts.size > 1) waiting.set(id, client);
    start?.();
  }
}
