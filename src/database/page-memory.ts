import { unavailable } from '../common/errors/domain-error';
import { overloaded } from '../common/errors/retry-later.error';
import { ClientShares, currentSharer } from '../common/http/client-shares';
import { currentRequest } from '../common/http/request-context';

/**
 * The stored size of pages of relayers and networks that are being read or sent, in a process; more get 503.
 * @limit Lists and batches
 */
const MAX_BYTES = 64 * 1024 * 1024;
/**
 * What pages of one API key may use of it, as far as all others leave it. The root key may use all.
 * @limit Lists and batches
 */
const SHARE_PERCENT = 50;
/** Smaller pages are not counted: they need little memory and time. */
const SMALL_BYTES = 64 * 1024;

/** Limits the memory, and the time on the event loop, that pages of large rows take from other clients. */
export class PageMemory {
  private readonly shares = new ClientShares(MAX_BYTES, SHARE_PERCENT);

  /**
   * Counts a page for the client of the current request until the request is over.
   *
   * @throws DomainError `overloaded` beyond the limits, `unavailable` if the request is already over
   */
  reserve(bytes: number): void {
    const request = currentRequest();
    if (!request || bytes < SMALL_BYTES) return;
    if (request.isOver) throw unavailable('the request is over');
    const sharer = currentSharer();
    const whose = this.shares.take(bytes, sharer);
    if (whose !== undefined) throw overloaded(`too many large pages${whose} are being sent; see Retry-After`);
    request.signal.addEventListener('abort', () => this.shares.release(bytes, sharer), { once: true });
  }
}

/** One instance per process, because its requests share the memory. */
export const pageMemory = new PageMemory();
