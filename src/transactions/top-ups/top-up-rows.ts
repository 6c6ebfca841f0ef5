import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../../config/app-config';
import { isForeignKeyViolation, isUniqueViolation } from '../../database/drivers/driver-errors';
import { UnitOfWork } from '../../database/unit-of-work';
import { isFinal } from '../transaction-status';
import { TransactionEntity } from '../transaction.entity';
import { RelayerTopUpEntity } from './relayer-top-up.entity';

type TopUp = Omit<RelayerTopUpEntity, 'relayer'>;

/**
 * Decides whether this instance may top up a relayer now: only one instance may, only while no other top-up is open,
 * and not more often than relayers are checked.
 */
@Injectable()
export class TopUpRows {
  private readonly pauseMs: number;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    config: ConfigService<AppConfig, true>,
  ) {
    this.pauseMs = config.get('relayerChecks', { infer: true }).intervalMs;
  }

  /** @returns the idempotency key of the transaction to send; undefined if none may be sent now */
  async claim(relayerId: string, fromRelayerId: string): Promise<string | undefined> {
    const last = await this.rows.findOneBy({ relayerId });
    // A time far in the future dates from before the clock was set back.
    if (last && Math.abs(Date.now() - last.triedAt.getTime()) < this.pauseMs) return undefined;
    const sent = last && (await this.transactionOf(last));
    if (sent && !isFinal(sent.status)) return undefined;
    // A transaction that was not accepted keeps its key, so that an instance that is still sending it sends the same
    // one.
    const isUnsent = last !== null && sent === null && last.fromRelayerId === fromRelayerId;
    const idempotencyKey = isUnsent ? last.idempotencyKey : `top-up ${relayerId} ${randomUUID()}`;
    const next = { relayerId, fromRelayerId, idempotencyKey, triedAt: new Date() };
    const isMine = await this.unitOfWork.runStatement(() =>
      last ? this.replace(last, next) : this.add(next),
    );
    return isMine ? idempotencyKey : undefined;
  }

  /** Whether the latest claim of a relayer has this key. */
  isClaimed(relayerId: string, idempotencyKey: string): Promise<boolean> {
    return this.rows.existsBy({ relayerId, idempotencyKey });
  }

  private transactionOf({ fromRelayerId, idempotencyKey }: TopUp) {
    const where = { relayerId: fromRelayerId, idempotencyKey };
    return this.unitOfWork
      .repository(TransactionEntity)
      .findOne({ select: { id: true, status: true }, where });
  }

  private async replace(last: TopUp, next: TopUp): Promise<boolean> {
    const { relayerId, idempotencyKey, triedAt } = last;
    const { affected } = await this.rows.update({ relayerId, idempotencyKey, triedAt }, next);
    return affected !== 0;
  }

  private async add(first: TopUp): Promise<boolean> {
    try {
      await this.rows.insert(first);
      return true;
    } catch (error) {
      // Another instance was faster, or the relayer was deleted.
      if (isUniqueViolation(error) || isForeignKeyViolation(error)) return false;
      throw error;
    }
  }

  private get rows() {
    return this.unitOfWork.repository(RelayerTopUpEntity);
  }
}
