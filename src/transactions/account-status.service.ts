import { Injectable } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';
import { AuditLog } from '../audit/audit-log';
import { UnitOfWork } from '../database/unit-of-work';
import { callFailure } from '../networks/network.errors';
import { type RelayerStatus, RelayerStatusService } from '../relayers/chain-access/relayer-status.service';
import type { ActingRelayer } from '../relayers/relayer.entity';
import { RelayersService } from '../relayers/relayers.service';
import { accountId } from './account-nonce.entity';
import { AccountLedger } from './accepting/account-ledger';
import { TransactionChains } from './chains/transaction-chains';
import { LaneWorker } from './lanes/lane-worker';
import { NonceLowering } from './nonce-lowering';
import { nonceSynced } from './transaction-audit';
import { TransactionRows } from './transaction-rows';
import { UNMINED } from './transaction-status';

const MAX_GAPS = 100;

/** A relayer with its account on the chain and in the ledger. */
export interface AccountStatus extends RelayerStatus {
  /** The next nonce in the ledger, or that on the chain if the account has sent nothing through this service. */
  nextNonce: number;
  pending: number;
  lastConfirmedAt: Date | null;
  oldestOpenNonce: number | null;
  /** Nonces without an owner. */
  gaps: number[];
}

/** The result of a comparison of ledger and chain that a client requested. */
export interface NonceReport {
  chainNonce: number;
  ledgerNonce: number;
  /** Whether the ledger was lowered to `ledgerNonce`. */
  isLowered: boolean;
  gaps: number[];
}

/** Compares an account's ledger with the chain, and starts the repair of differences. */
@Injectable()
export class AccountStatusService {
  constructor(
    private readonly statuses: RelayerStatusService,
    private readonly relayers: RelayersService,
    private readonly ledger: AccountLedger,
    private readonly rows: TransactionRows,
    private readonly chains: TransactionChains,
    private readonly lanes: LaneWorker,
    private readonly lowering: NonceLowering,
    private readonly audit: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws DomainError as `RelayerStatusService.status` */
  async status(id: string): Promise<AccountStatus> {
    const status = await this.statuses.status(id);
    const account = accountId(status.relayer);
    const ledger = await this.ledger.find(account);
    const repository = this.rows.repository;
    const [pending, confirmed, open] = await Promise.all([
      repository.countBy({ openRelayerId: id, status: In(UNMINED) }),
      repository.findOne({
        select: { id: true, confirmedAt: true },
        where: { relayerId: id, status: 'confirmed', confirmedAt: Not(IsNull()) },
        order: { createdAt: 'DESC' },
      }),
      this.openNonces(id),
    ]);
    const chainNonce = Number(status.nonce);
    return {
      ...status,
      nextNonce: Math.max(ledger?.nextNonce ?? 0, chainNonce),
      pending,
      lastConfirmedAt: confirmed?.confirmedAt ?? null,
      oldestOpenNonce: open[0] ?? null,
      gaps: gapsOf(chainNonce, ledger?.nextNonce ?? 0, open),
    };
  }

  /**
   * Compares ledger and chain, lowers the ledger if that is safe, and starts the repair of other differences.
   *
   * @throws DomainError as {@link status}
   */
  async sync(id: string): Promise<NonceReport> {
    const relayer = await this.relayers.getOrThrow(id);
    const chain = await this.chains.of(relayer);
    const { address, network } = relayer;
    const account = accountId(relayer);
    try {
      const chainNonce = await chain.agreedNonce(address);
      let isLowered = false;
      if (await this.ledger.find(account)) {
        isLowered = await this.lowering.lower(account, relayer, chainNonce);
        await this.unitOfWork.run(() => this.demand(account, relayer, isLowered));
        this.lanes.wake(account, true);
      }
      const ledgerNonce = (await this.ledger.find(account))?.nextNonce ?? chainNonce;
      const gaps = gapsOf(chainNonce, ledgerNonce, await this.openNonces(id));
      return { chainNonce, ledgerNonce, isLowered, gaps };
    } catch (error) {
      throw callFailure(network, error);
    }
  }

  /** Starts the repair of differences that remain. */
  private async demand(account: string, relayer: ActingRelayer, isLowered: boolean): Promise<void> {
    const ledger = await this.ledger.findToChange(account);
    if (!ledger) return;
    await this.ledger.demand(account);
    // The change of the ledger has been recorded together with it.
    if (isLowered) return;
    const { nextNonce } = ledger;
    await this.audit.record(nonceSynced(relayer, { before: nextNonce, after: nextNonce }));
  }

  private async openNonces(relayerId: string): Promise<number[]> {
    const open = await this.rows.repository.find({
      select: { id: true, nonce: true },
      where: { openRelayerId: relayerId },
      order: { nonce: 'ASC' },
    });
    return open.map(({ nonce }) => nonce);
  }
}

function gapsOf(chainNonce: number, ledgerNonce: number, open: readonly number[]): number[] {
  const owned = new Set(open);
  const gaps: number[] = [];
  for (let nonce = chainNonce; nonce < ledgerNonce && gaps.length < MAX_GAPS; nonce += 1)
    if (!owned.has(nonce)) gaps.push(nonce);
  return gaps;
}
