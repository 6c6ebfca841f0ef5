import { Injectable, Logger } from '@nestjs/common';
import { Subject } from 'rxjs';
import type { Claim } from '../../background/leased-rows';
import { parseBigInteger } from '../../common/validation/big-integer';
import { UnitOfWork } from '../../database/unit-of-work';
import { RelayerEntity } from '../relayer.entity';
import { RelayerRows } from '../relayer-rows';
import { RelayerEvents } from '../relayer-events';

/** A balance that a check has read, in wei. */
export interface ReadBalance {
  relayer: RelayerEntity;
  balance: bigint;
}

/** Compares the balances that checks have read with the relayers' thresholds (`policies.low_balance`). */
@Injectable()
export class BalanceWatch {
  private readonly logger = new Logger(BalanceWatch.name);

  /** Emits the balances that checks of this instance have read. */
  readonly balanceRead = new Subject<ReadBalance>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rows: RelayerRows,
    private readonly events: RelayerEvents,
  ) {}

  /**
   * Saves whether a balance is low, unless another check was claimed or requested meanwhile. Must be called before the
   * result of the check is saved. When the balance falls below the threshold, an event is saved in the same
   * transaction; the next event follows only after the balance has recovered.
   */
  async record({ row, lease }: Claim<RelayerEntity>, balance: bigint): Promise<void> {
    const { id, lowBalance: wasLow } = row;
    const threshold = parseBigInteger(row.policies.low_balance);
    const isLow = threshold !== undefined && balance < threshold;
    if (isLow === wasLow) return;
    const isSaved = await this.unitOfWork.run(async () => {
      const expected = { id, nextCheckAt: lease, lowBalance: wasLow };
      const { affected } = await this.relayers.update(expected, { lowBalance: isLow });
      if (affected === 0) return false;
      if (isLow) await this.events.lowBalance(await this.rows.getOrThrow(id), balance, threshold);
      return true;
    });
    if (isSaved && isLow) this.logger.warn('The balance of a relayer is low', { relayer_id: id });
  }

  private get relayers() {
    return this.unitOfWork.repository(RelayerEntity);
  }
}
