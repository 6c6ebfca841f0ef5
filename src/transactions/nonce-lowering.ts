import { Injectable, Logger } from '@nestjs/common';
import { MoreThanOrEqual, Not } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work';
import type { ActingRelayer } from '../relayers/relayer.entity';
import { AccountLedger } from './accepting/account-ledger';
import { NonceEvents } from './nonce-events';
import { TransactionMetrics } from './transaction.metrics';
import { TransactionRows } from './transaction-rows';

/** Brings the ledger of an account down that a node has led too high. */
@Injectable()
export class NonceLowering {
  private readonly logger = new Logger(NonceLowering.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rows: TransactionRows,
    private readonly ledger: AccountLedger,
    private readonly events: NonceEvents,
    private readonly metrics: TransactionMetrics,
  ) {}

  /**
   * Brings it down to the nonce of the chain, or above the highest nonce with which anything was signed. Requests with higher
   * nonces, for which nothing was signed, follow in their order; so no nonce is used for two transactions.
   *
   * @returns whether it was brought down
   */
  async lower(id: string, relayer: ActingRelayer, chainNonce: number): Promise<boolean> {
    const lowered = await this.unitOfWork.run(async () => {
      const ledger = await this.ledger.findToChange(id);
      if (!ledger) return undefined;
      const first = Math.max(chainNonce, await this.signedEnd(id));
      const { nextNonce: from, chainId } = ledger;
      if (first >= from) return undefined;
      const to = await this.moveUnsigned(id, first, relayer);
      if (to === undefined || to >= from) return undefined;
      await this.ledger.assign(ledger, ledger.relayerId, to);
      await this.events.record(ledger, relayer, { kind: 'lowered', from, to });
      return { chainId, from, to };
    });
    if (!lowered) return false;
    const { chainId, from, to } = lowered;
    this.metrics.countRepair(chainId, 'lowered');
    this.logger.warn('The ledger was brought down', { account: id, from, to });
    return true;
  }

  /** The nonce after the highest one with which anything was signed, or may have been. */
  private async signedEnd(accountId: string): Promise<number> {
    const highest = await this.rows.repository.findOne({
      select: { id: true, nonce: true },
      where: { accountId, status: Not('pending') },
      order: { nonce: 'DESC' },
    });
    return highest ? highest.nonce + 1 : 0;
  }

  /** @returns the nonce after theirs; undefined where one was signed meanwhile */
  private async moveUnsigned(
    accountId: string,
    first: number,
    relayer: ActingRelayer,
  ): Promise<number | undefined> {
    const unsigned = await this.rows.find({
      where: { accountId, status: 'pending', nonce: MoreThanOrEqual(first) },
      order: { nonce: 'ASC' },
    });
    for (const [i, { id, version, nonce }] of unsigned.entries()) {
      if (nonce === first + i) continue;
      const row = await this.rows.findToChange(id);
      if (row?.version !== version) return undefined;
      const statusReason =
        row.statusReason ?? `The nodes stated too high a nonce; continues with nonce ${first + i}`;
      await this.rows.changeProtected(row, { nonce: first + i, statusReason }, relayer);
    }
    return first + unsigned.length;
  }
}
