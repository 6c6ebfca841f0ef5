import { Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';
import { SEND_CAUSES, type SendCause } from '../chains/send-cause';
import type { TransactionStatus } from './transaction-status';
import type { TransactionEntity } from './transaction.entity';

/**
 * From 10 ms to an hour: sending takes milliseconds, but a transaction that waits for gas prices to fall may take
 * hours.
 */
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];
const ATTEMPTS = [1, 2, 3, 5, 10, 20, 50];
const GWEI = 1_000_000_000n;

type Stage = 'broadcast' | 'mined' | 'final';
/** The differences that comparing ledger and chain can find. */
const REPAIRS = [
  'raised',
  'lowered',
  'reassigned',
  'adopted',
  'gap_filled',
  'resent',
  'reorganized',
] as const;

export type Repair = (typeof REPAIRS)[number];

/**
 * Metrics of transactions by chain id: how many there are, how long they take, what they cost, how nodes responded,
 * what was repaired.
 */
@Injectable()
export class TransactionMetrics {
  private readonly statuses: Counter<'chain_id' | 'status'>;
  private readonly stages: Histogram<'chain_id' | 'stage'>;
  private readonly attempts: Histogram<'chain_id'>;
  private readonly replacements: Counter<'chain_id'>;
  private readonly cost: Counter<'chain_id'>;
  private readonly sends: Counter<'chain_id' | 'cause'>;
  private readonly repairs: Counter<'chain_id' | 'kind'>;
  /** Chains whose counters have been started. Bounded by the number of series of a counter. */
  private readonly shown = new Set<string>();

  constructor(registry: Registry) {
    const registers = [registry];
    this.statuses = new Counter({
      name: 'transactions_total',
      help: 'Transactions that reached a status',
      labelNames: ['chain_id', 'status'],
      registers,
    });
    this.stages = new Histogram({
      name: 'transaction_stage_seconds',
      help: 'Time from the acceptance of a transaction until a node acknowledged it, until it was mined, or until it was final',
      labelNames: ['chain_id', 'stage'],
      buckets: SECONDS,
      registers,
    });
    this.attempts = new Histogram({
      name: 'transaction_attempts',
      help: 'Signed attempts of a transaction that is final',
      labelNames: ['chain_id'],
      buckets: ATTEMPTS,
      registers,
    });
    this.replacements = new Counter({
      name: 'transaction_replacements_total',
      help: 'Attempts that were signed to replace another with the same nonce',
      labelNames: ['chain_id'],
      registers,
    });
    this.cost = new Counter({
      name: 'transaction_cost_gwei_total',
      help: 'Fees that final transactions have paid, in gwei',
      labelNames: ['chain_id'],
      registers,
    });
    this.sends = new Counter({
      name: 'transaction_sends_total',
      help: 'Sends of attempts by the response of the node; insufficient_funds also if the balance is too low to sign one',
      labelNames: ['chain_id', 'cause'],
      registers,
    });
    this.repairs = new Counter({
      name: 'nonce_repairs_total',
      help: 'Differences between the ledger and the chain that were repaired',
      labelNames: ['chain_id', 'kind'],
      registers,
    });
  }

  /** Counts a transaction that got a new status. */
  countStatus(row: Omit<TransactionEntity, 'mac'>, status: TransactionStatus): void {
    const chain_id = chainOf(row);
    this.statuses.inc({ chain_id, status });
    if (status === 'pending') this.showChain(chain_id);
    if (status === 'submitted' && row.sentAt) this.observe(row, 'broadcast', row.sentAt);
    if (status === 'mined' && row.minedAt) this.observe(row, 'mined', row.minedAt);
    if (!row.finishedAt) return;
    this.observe(row, 'final', row.finishedAt);
    this.attempts.observe({ chain_id }, row.hashes.length);
    const fee = row.inclusion?.fee;
    if (fee) this.cost.inc({ chain_id }, Number(BigInt(fee) / GWEI));
  }

  /** Starts the counters of a chain at zero, so that the first failure is visible as an increase. */
  private showChain(chain_id: string): void {
    if (this.shown.has(chain_id)) return;
    this.shown.add(chain_id);
    for (const cause of SEND_CAUSES) this.sends.inc({ chain_id, cause }, 0);
    for (const kind of REPAIRS) this.repairs.inc({ chain_id, kind }, 0);
  }

  countReplacement(row: Omit<TransactionEntity, 'mac'>): void {
    this.replacements.inc({ chain_id: chainOf(row) });
  }

  countSend(row: Omit<TransactionEntity, 'mac'>, cause: SendCause): void {
    this.sends.inc({ chain_id: chainOf(row), cause });
  }

  countRepair(chainId: string, kind: Repair, by = 1): void {
    this.repairs.inc({ chain_id: chainId, kind }, by);
  }

  private observe(row: Omit<TransactionEntity, 'mac'>, stage: Stage, at: Date): void {
    const seconds = Math.max(0, (at.getTime() - row.createdAt.getTime()) / 1000);
    this.stages.observe({ chain_id: chainOf(row), stage }, seconds);
  }
}

/** The chain id in an account id, `type:chain:address`. */
const chainOf = ({ accountId }: Pick<TransactionEntity, 'accountId'>): string =>
  accountId.split(':')[1] ?? '';
