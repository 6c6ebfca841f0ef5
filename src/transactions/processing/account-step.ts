import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { AppConfig, TransactionSettings } from '../../config/app-config';
import { TransactionRows } from '../transaction-rows';
import { type Account, MAX_UNSENT, OpenTransactions } from './open-transactions';
import { AttemptSender, LOWER_NONCES_REASON } from './attempt-sender';
import { AttemptSigner } from './attempt-signer';
import type { LaneContext } from './lane-context';
import { NonceRepair } from './nonce-repair';
import { isResendable, Renewal } from './renewal';
import type { TransactionEntity } from '../transaction.entity';
import { TransactionWatch } from './transaction-watch';

const NO_RESPONSE_REASON = 'Waiting: no node responds';

/** The two steps of processing an account; they may run concurrently. */
@Injectable()
export class AccountStep {
  private readonly settings: TransactionSettings;

  constructor(
    private readonly open: OpenTransactions,
    private readonly watch: TransactionWatch,
    private readonly renewal: Renewal,
    private readonly signer: AttemptSigner,
    private readonly sender: AttemptSender,
    private readonly nonces: NonceRepair,
    private readonly rows: TransactionRows,
    config: ConfigService<AppConfig, true>,
  ) {
    this.settings = config.get('transactions', { infer: true });
  }

  /**
   * Sends signed transactions, and signs and sends new ones, in the order of their nonces.
   *
   * @returns whether further transactions may be ready to send now
   */
  async send(context: LaneContext): Promise<boolean> {
    const { view, memory, chain, ledger } = context;
    const inFlight = Math.min(this.settings.maxInFlight, await chain.maxInFlight(ledger.address));
    // Limited by the nonce of the newest response: a higher one may come from an earlier, false response.
    const end = Math.min(view.nonce, view.reported) + inFlight;
    const rows = await this.open.unsent(context, end);
    let left = await this.renewal.expire(context, rows);
    // No-ops for those that have expired come before later nonces.
    if (left.length < rows.length) return true;
    while (left.length > 0) {
      const run = firstRun(left, chain.inOrder);
      left = left.slice(run.length);
      const [first] = run;
      // Later transactions could not be mined before this one.
      if (!first || !memory.mayTry(first.id, view.head)) {
        await this.explainQueue(context, [...run, ...left]);
        return false;
      }
      const sendables =
        first.status === 'sent'
          ? await this.sender.load(run.filter((row) => isResendable(context, row)))
          : await this.signer.sign(context, run);
      if (!(await this.sender.send(context, sendables)) || sendables.length < run.length) {
        await this.explainQueue(context, [...run, ...left]);
        return false;
      }
    }
    // If fewer were found, transactions that arrived since have woken the lane.
    return rows.length === MAX_UNSENT;
  }

  /**
   * Stores that transactions wait for lower nonces, if one before them cannot be signed or sent now. Each is changed once,
   * and only those that were read, which are few even if thousands wait. Signing or sending them clears the reason.
   */
  private async explainQueue(context: LaneContext, rows: readonly TransactionEntity[]): Promise<void> {
    const first = context.isFrozen ? 0 : rows.findIndex(({ id }) => context.memory.hasFailed(id));
    if (first === -1) return;
    const silent = rows
      .slice(first + 1)
      .filter(({ statusReason, abandonedAs }) => statusReason === null && abandonedAs === null);
    await this.rows.explain(silent, LOWER_NONCES_REASON, context.relayer);
  }

  /** Stores why transactions that nothing was signed for wait, as long as no node responds or may be called. */
  async explainOutage(account: Account): Promise<void> {
    await this.rows.explain(await this.open.unexplained(account), NO_RESPONSE_REASON, account.relayer);
  }

  /**
   * Determines which transactions were mined, advances those that are waiting, and compares the ledger with the chain.
   *
   * @returns whether any work is left
   */
  async follow(context: LaneContext): Promise<boolean> {
    const { view, ledger } = context;
    let open = await this.open.read(context);
    const areBlocksGone = await this.watch.confirm(context, (limit, after) => open.mined(limit, after));
    if (areBlocksGone) open = await this.open.read(context);
    await this.watch.findMined(context, (limit, after) => open.used(limit, after));
    const waiting = await this.renewal.expire(context, await open.waiting());
    const dated = await this.renewal.redate(context, waiting);
    const resent = await this.renewal.rebroadcast(context, dated);
    const isConsistent =
      !(await this.nonces.raise(context)) && (await this.nonces.compare(context, open.nonces));
    const alive = await this.renewal.giveUp(context, resent);
    // Done last, because these steps require fees, and fail if no node reports any.
    await this.renewal.replace(context, alive);
    await this.renewal.lower(context, alive);
    await this.renewal.bump(context, alive);
    return !isConsistent || view.nonce > ledger.nextNonce || (await open.any());
  }
}

/** The leading transactions in the same state; only the first if each must wait for the previous one. */
function firstRun(rows: readonly TransactionEntity[], inOrder: boolean): TransactionEntity[] {
  if (inOrder) return rows.slice(0, 1);
  const [first] = rows;
  const length = rows.findIndex(({ status }) => status !== first?.status);
  return rows.slice(0, length === -1 ? rows.length : length);
}
