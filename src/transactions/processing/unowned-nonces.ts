import { Injectable, Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Between, IsNull, MoreThanOrEqual } from 'typeorm';
import type { AppConfig } from '../../config/app-config';
import { NonceLowering } from '../nonce-lowering';
import { TransactionRows } from '../transaction-rows';
import type { LaneContext } from './lane-context';

/** If more nonces than this have never had a transaction, none of them gets a filler at first. @limit Transactions */
const MAX_FILLED = 100;
/** The same if the ledger cannot be lowered, because something was signed with a nonce above. @limit Transactions */
const MAX_FILLED_BELOW_SIGNED = 1000;
/** The number of waiting transactions that say why they wait. */
const MAX_EXPLAINED = 64;
const REASON = 'Waiting: the nonce is far above that of the account, as nodes report it';

/**
 * Deals with ledgers that are far ahead of their chains because nodes have reported nonces that were too high. Each filler
 * pays for its gas, so that filling all of these nonces could use up the account.
 */
@Injectable()
export class UnownedNonces {
  private readonly logger = new Logger(UnownedNonces.name);
  private readonly patienceMs: number;

  constructor(
    private readonly rows: TransactionRows,
    private readonly lowering: NonceLowering,
    config: ConfigService<AppConfig, true>,
  ) {
    this.patienceMs = config.get('transactions', { infer: true }).unknownUseMs;
  }

  /**
   * Whether too many nonces have no transaction for all of them to be filled. If that has lasted for long enough, the
   * ledger is lowered to the highest nonce that any endpoint reports, or as far as nothing was signed; if that is not
   * possible, more nonces may be filled.
   */
  async areTooMany(context: LaneContext): Promise<boolean> {
    const { ledger, relayer, view, chain, memory } = context;
    const count = await this.count(context);
    if (count <= MAX_FILLED) {
      memory.waits.notAhead();
      return false;
    }
    const waited = memory.waits.aheadFor();
    if (waited === 0)
      this.logger.error('Nonces without transactions are not filled, because there are too many', {
        ...{ account: ledger.id, relayer: relayer.id, count },
        ...{ from: view.nonce, to: ledger.nextNonce },
      });
    const highest = waited < this.patienceMs ? undefined : await chain.highestNonce(ledger.address);
    if (highest !== undefined) {
      const nonce = Math.max(view.nonce, highest);
      if (await this.lowering.lower(ledger.id, relayer, nonce)) return true;
      if (count <= MAX_FILLED_BELOW_SIGNED) return false;
    }
    await this.explain(context);
    return true;
  }

  private async count({ ledger, view }: LaneContext): Promise<number> {
    const span = ledger.nextNonce - view.nonce;
    if (span <= MAX_FILLED) return 0;
    const nonce = Between(view.nonce, ledger.nextNonce - 1);
    return span - (await this.rows.repository.countBy({ accountId: ledger.id, nonce }));
  }

  private async explain({ ledger, relayer, view }: LaneContext): Promise<void> {
    const silent = await this.rows.find({
      where: {
        ...{ openRelayerId: relayer.id, accountId: ledger.id, status: 'pending', statusReason: IsNull() },
        nonce: MoreThanOrEqual(view.nonce),
      },
      order: { nonce: 'ASC' },
      take: MAX_EXPLAINED,
    });
    await this.rows.explain(silent, REASON, relayer);
  }
}
