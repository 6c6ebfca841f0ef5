import { clientNetwork } from '../net/client-network';
import { currentRequest, ROOT_KEY_ID } from './request-context';

/** A client with a share of a limit. */
export interface Sharer {
  readonly id: string;
  /** For messages, for example ` of this API key`. */
  readonly whose: string;
}

/**
 * The client of the current request: its API key or, without one, its address. Undefined for the root key, which all
 * clients may share, and outside of requests.
 */
export function currentSharer(): Sharer | undefined {
  const { keyId, clientAddress } = currentRequest() ?? { keyId: ROOT_KEY_ID };
  if (keyId === ROOT_KEY_ID) return undefined;
  if (keyId !== undefined) return { id: keyId, whose: ' of this API key' };
  return { id: `address ${clientNetwork(clientAddress ?? 'unknown')}`, whose: ' of this client address' };
}

/**
 * Divides a limited amount among clients. Each may use a part of what all others leave, so that some is left for the
 * next one, no matter how many take as much as they can.
 */
export class ClientShares {
  private used = 0;
  private readonly ofClients = new Map<string, number>();

  /** @param percent the part that a client may use of what all others leave */
  constructor(
    private readonly total: number,
    private readonly percent: number,
  ) {}

  get inUse(): number {
    return this.used;
  }

  /**
   * Takes an amount for a client; undefined for one without a share, which may use all that is left.
   *
   * @returns undefined if there was room; otherwise, for a message, whose limit leaves none: that of the client, or, if
   * the text is empty, that of all clients
   */
  take(amount: number, sharer: Sharer | undefined): string | undefined {
    if (this.used + amount > this.total) return '';
    if (sharer) {
      const own = this.ofClients.get(sharer.id) ?? 0;
      const left = this.total - (this.used - own);
      if ((own + amount) * 100 > this.percent * left) return sharer.whose;
      this.ofClients.set(sharer.id, own + amount);
    }
    this.used += amount;
    return undefined;
  }

  /** Returns an amount that was taken for a sharer. */
  release(amount: number, sharer: Sharer | undefined): void {
    this.used -= amount;
    if (!sharer) return;
    const own = (this.ofClients.get(sharer.id) ?? 0) - amount;
    if (own > 0) this.ofClients.set(sharer.id, own);
    else this.ofClients.delete(sharer.id);
  }
}
