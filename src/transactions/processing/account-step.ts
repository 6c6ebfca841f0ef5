import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { AppConfig, TransactionSettings } from '../../config/app-config';
import { UNMINED } from '../transaction-status';
import { TransactionRows } from '../transaction-rows';
import type { TransactionEntity } from '../transaction.entity';
import { AttemptSender } from './attempt-sender';
import { AttemptSigner } from './attempt-signer';
import type { LaneContext } from './lane-context';
import { NonceRepair } from './nonce-repair';
import { isResendable, Renewal } from './renewal';
import { TransactionWatch } from './transaction-watch';

/** New transactions that are signed and sent in one step. */
const MAX_NEW = 64;
/** Mined transactions that are looked at in one step. */
const MAX_MINED = 1000;

/** One step of processing an account: what is the case on the chain is found out first, then lower nonces come before higher. */
@Injectable()
export class AccountStep {
  private readonly settings: TransactionSettings;

  constructor(
    private readonly rows: TransactionRows,
    private readonly watch: TransactionWatch,
    private readonly renewal: Renewal,
    private readonly signer: AttemptSigner,
    private readonly sender: AttemptSender,
    private readonly nonces: NonceRepair,
    config: ConfigService<AppConfig, true>,
  ) {
    this.settings = config.get('transactions', { infer: true });
  }

  /** Sends what is new. */
  async sendNew(context: LaneContext): Promise<void> {
    await this.advance(context, await this.open(context, ['pending', 'sent'], MAX_NEW));
  }

  /**
   * Everything that a new state of the chain may call for.
   *
   * @returns whether anything is left to be done
   */
  async process(context: LaneContext): Promise<boolean> {
    const { view } = context;
    const mined = await this.open(context, ['mined'], MAX_MINED);
    await this.watch.confirm(context, mined);
    const unmined = await this.open(context, UNMINED, this.inFlight(context) + MAX_NEW);
    const waiting = await this.watch.findMined(context, unmined);
    const alive = await this.renewal.expire(context, waiting);
    await this.renewal.replace(context, alive);
    await this.renewal.bump(context, alive);
    await this.renewal.rebroadcast(context, alive);
    await this.advance(
      context,
      alive.filter(({ status }) => status === 'pending' || status === 'sent'),
    );
    if (await this.nonces.raise(context)) return true;
    const last = unmined.at(-1)?.nonce ?? Infinity;
    const isWhole = unmined.length < this.inFlight(context) + MAX_NEW;
    const owned = new Set([...mined, ...unmined].map(({ nonce }) => nonce));
    // Beyond what was read, everything has an owner that was not read.
    const { isEven } = await this.nonces.repair(
      isWhole ? context : { ...context, ledger: { ...context.ledger, nextNonce: last } },
      owned,
    );
    return unmined.length > 0 || mined.length > 0 || !isEven || view.nonce > context.ledger.nextNonce;
  }

  /** Sends what was signed, and signs and sends what is new, in the order of the nonces. */
  private async advance(context: LaneContext, rows: readonly TransactionEntity[]): Promise<void> {
    const { view, memory, chain } = context;
    const end = view.nonce + this.inFlight(context);
    let left = rows.filter(({ nonce }) => nonce >= view.nonce && nonce < end);
    while (left.length > 0) {
      const isSigned = left[0]?.status === 'sent';
      const length = left.findIndex(({ status }) => (status === 'sent') !== isSigned);
      const run = left.slice(0, length === -1 ? left.length : length);
      left = left.slice(run.length);
      const [first] = run;
      // Those after it could not be mined before it.
      if (!first || !memory.mayTry(first.id)) return;
      const batch = chain.inOrder ? run.slice(0, 1) : run;
      if (chain.inOrder) left = [...run.slice(1), ...left];
      const sendables = isSigned
        ? await this.sender.load(batch.filter((row) => isResendable(context, row)))
        : await this.signer.sign(context, batch);
      if (!(await this.sender.send(context, sendables)) || sendables.length < batch.length) return;
    }
  }

  private async open(
    { relayer, ledger }: LaneContext,
    statuses: Parameters<TransactionRows['findOpen']>[1],
    limit: number,
  ): Promise<TransactionEntity[]> {
    const { intact } = await this.rows.findOpen(relayer.id, statuses, limit);
    return intact.filter(({ accountId }) => accountId === ledger.id);
  }

  private inFlight({ chain }: LaneContext): number {
    return Math.min(this.settings.maxInFlight, chain.maxInFlight);
  }
}
