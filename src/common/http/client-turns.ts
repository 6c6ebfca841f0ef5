import { getOrCreate } from '../get-or-create';
import { ClientShares, type Sharer } from './client-shares';

/** Starts work that waits. */
type Start = () => void;

/** The work with one resource. */
interface Resource {
  readonly shares: ClientShares;
  /** What waits, by client, first the client that has waited longest for a turn. */
  readonly waiting: Map<string, { sharer: Sharer; starts: Set<Start> }>;
}

/** Here the root key has a share too: otherwise it could leave no turn for others. */
const ROOT: Sharer = { id: '', whose: ' of the root key' };

/**
 * The order in which work for clients gets connections, for example to an origin. Each client may use a part of the
 * connections that all others leave; its further work waits. So slow work of one client does not delay that of others.
 */
export class ClientTurns {
  private readonly resources = new Map<string, Resource>();

  /**
   * @param total connections to one resource
   * @param percent the part that a client may use of what all others leave
   */
  constructor(
    private readonly total: number,
    private readonly percent: number,
  ) {}

  /**
   * Waits for a turn. Those of one client are in order.
   *
   * @param sharer undefined for the root key
   * @returns a function to call once when the work is done
   * @throws the reason of the signal
   */
  async take(name: string, sharer = ROOT, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const resource = getOrCreate(this.resources, name, () => ({
      shares: new ClientShares(this.total, this.percent),
      waiting: new Map(),
    }));
    if (resource.shares.take(1, sharer) !== undefined) await wait(resource, sharer, signal);
    return () => {
      resource.shares.release(1, sharer);
      startWaiting(resource);
      if (resource.shares.inUse === 0) this.resources.delete(name);
    };
  }
}

function wait({ waiting }: Resource, sharer: Sharer, signal: AbortSignal): Promise<void> {
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

/** Starts the work for which there is room now: that of each client in turn. */
function startWaiting({ shares, waiting }: Resource): void {
  for (const [id, client] of waiting) {
    if (shares.take(1, client.sharer) !== undefined) continue;
    const [start] = client.starts;
    // What else the client waits for comes after the work of all other clients.
    waiting.delete(id);
    if (client.starts.size > 1) waiting.set(id, client);
    start?.();
  }
}
