import { greatest } from '../../../common/validation/big-integer';
import type { RpcPool } from '../../rpc/rpc-pool';
import { unlessUnreadable } from '../node-read';
import { fromEach, upperMedian } from './agreement';
import { readGasLimit } from './chain-reads';
import { RecentReads } from './recent-reads';

/** What has more gas than a block may have for this long is not expected to be mined any more. */
const LASTING_MS = 600_000;
/** Shorter than the time for which a contradiction must last, so that it is seen in two readings. */
const KNOWN_MS = 3000;

/**
 * The gas limit that blocks have had for ten minutes. What is above it is given up, so a single endpoint must not be able
 * to lower it, and the limit of one block does not suffice: it may rise again.
 */
export class LastingGasLimit {
  /** In blocks. */
  private readonly age: number;
  private readonly recent: RecentReads<bigint | undefined>;

  /** @param confirmations blocks after which nothing is expected to be reorganized */
  constructor(
    private readonly pool: RpcPool,
    blockMs: number,
    confirmations: number,
  ) {
    this.recent = new RecentReads(KNOWN_MS);
    this.age = Math.max(Math.ceil(LASTING_MS / blockMs), confirmations);
  }

  /**
   * The higher one of the gas limits of the newest block and of one ten minutes before, as most endpoints report it; of
   * two the higher one. Undefined if that is not known.
   *
   * @param head the number of the newest block
   */
  read(head: number): Promise<bigint | undefined> {
    return this.recent.get('limit', () => this.readNow(head));
  }

  private async readNow(head: number): Promise<bigint | undefined> {
    const old = head - this.age;
    if (old < 0) return undefined;
    return unlessUnreadable(async () => {
      const stated = await fromEach(this.pool, async (one) => {
        const [now, before] = await Promise.all([readGasLimit(one, 'latest'), readGasLimit(one, old)]);
        if (now === null || before === null) return undefined;
        return greatest(now, before);
      });
      const limits = stated.filter((limit) => limit !== undefined);
      return limits.length === 0 ? undefined : upperMedian(limits, (limit) => limit);
    });
  }
}
