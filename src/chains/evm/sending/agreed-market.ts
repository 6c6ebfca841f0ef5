import { greatest } from '../../../common/validation/big-integer';
import { RpcUnavailableError } from '../../rpc/endpoint-error';
import type { RpcPool } from '../../rpc/rpc-pool';
import { unlessUnreadable } from '../node-read';
import { fromEach, lowerMedian, upperMedian } from './agreement';
import { type FeeMarket, highestPrice, marketFees } from './fees';

/** The longest time between two comparisons of endpoints, in milliseconds. */
const AGREED_MS = 600_000;
/** If prices rise above the agreed ones by more than this factor, endpoints are compared again. */
const FACTOR = 2n;

/**
 * The fee market of a network whose endpoints need not be trusted. Fees that are offered are paid, so a single endpoint
 * of several must not be able to raise them. The prices of one endpoint are used as long as they are near those on
 * which most endpoints agreed; otherwise all are called, and the median is used (docs/adr/0034).
 */
export class AgreedMarket {
  private agreed = { price: 0n, baseFee: 0n, paid: 0n, at: -Infinity };

  /** @param readFrom reads the market from a pool */
  constructor(
    private readonly pool: RpcPool,
    private readonly readFrom: (pool: RpcPool) => Promise<FeeMarket>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws RpcUnavailableError, NodeRefusedError */
  async read(): Promise<FeeMarket> {
    if (this.pool.members.length === 1) return this.readFrom(this.pool);
    if (this.now() - this.agreed.at < AGREED_MS) {
      const market = await this.readFrom(this.pool);
      if (this.isNear(market)) return market;
    }
    const markets = await unlessUnreadable(() => fromEach(this.pool, this.readFrom));
    if (!markets) return this.readAlone();
    const market = lowerMedian(markets, priceOf);
    this.agreed = {
      price: priceOf(market),
      // Each on its own, because one endpoint may be right about one of them only. A base fee that is too high makes the
      // comparison stricter.
      baseFee: upperMedian(markets, ({ baseFee }) => baseFee).baseFee,
      paid: paidIn(lowerMedian(markets, paidIn)),
      at: this.now(),
    };
    return market;
  }

  /**
   * Prices without a comparison, because too few endpoints respond. Those near the last agreed ones are used, however old
   * these are, so that sending goes on: a single endpoint cannot raise them further. Others wait.
   */
  private async readAlone(): Promise<FeeMarket> {
    const market = await this.readFrom(this.pool);
    if (!this.isNear(market)) throw new RpcUnavailableError('connection');
    return market;
  }

  /** Whether a transaction would neither offer nor pay much more than agreed, whatever base fee this market has. */
  private isNear(market: FeeMarket): boolean {
    const { price, baseFee, paid } = this.agreed;
    return priceOf(market) <= FACTOR * price && baseFee + market.tips.fastest <= FACTOR * paid;
  }
}

/** The price per unit of gas that the next block takes at the highest tip. */
const paidIn = ({ baseFee, tips }: FeeMarket): bigint => baseFee + tips.fastest;

/** The highest price per unit of gas that any transaction would offer. */
function priceOf(market: FeeMarket): bigint {
  const [legacy, dynamic] = [true, false].map((isLegacy) =>
    highestPrice(marketFees(market, 'fastest', { legacy: isLegacy, minimumTip: 0n, cap: undefined })),
  ) as [bigint, bigint];
  return greatest(legacy, dynamic);
}
