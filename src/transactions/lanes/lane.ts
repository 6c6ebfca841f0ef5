import { Logger } from '@nestjs/common';
import { causeOf } from '../../common/errors/error-cause';
import { Pause } from '../../common/event-loop/pause';
import type { ChainView } from '../../chains/transaction-chain';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import type { AccountStep } from '../processing/account-step';
import type { LaneContext } from '../processing/lane-context';
import { LaneMemory } from '../processing/lane-memory';
import type { LaneClaim, LaneRows } from './lane-rows';

const RENEW_MS = 2000;
/** Then the account is given back, so that others get their turn. */
const LONGEST_MS = 60_000;
const FAILURE_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;

/** An account and what processing it needs. */
export type FoundAccount = Pick<LaneContext, 'ledger' | 'relayer' | 'isFrozen' | 'chain'>;

/** Undefined for an account whose relayer does not exist any more. */
export type FindAccount = (claim: LaneClaim) => Promise<FoundAccount | undefined>;

/** Processes one account while its lease lasts: at each new state of the chain, and at once when it is woken. */
export class Lane {
  private readonly logger = new Logger('TransactionLane');
  private readonly memory = new LaneMemory();
  private readonly pause = new Pause();
  private readonly startedAt = performance.now();
  private view: ChainView | undefined;
  private next: Promise<void> | undefined;
  /** Everything is looked at, rather than new transactions only. */
  private isWhole = true;
  private wasWoken = false;
  private isOver = false;

  constructor(
    private claim: LaneClaim,
    private readonly rows: LaneRows,
    private readonly step: AccountStep,
    private readonly find: FindAccount,
    /** The nonce of the account was read. */
    private readonly seen: (view: ChainView) => void,
  ) {}

  /** @param isWhole whether something that was sent already is to be changed, rather than something new to be sent */
  wake(isWhole: boolean): void {
    this.isWhole ||= isWhole;
    this.wasWoken = true;
    this.pause.end();
  }

  stop(): void {
    this.isOver = true;
    this.pause.end();
  }

  /** Resolves when nothing is left to be done, or the account was given back. */
  async run(): Promise<void> {
    const renewal = setInterval(() => void this.renew(), RENEW_MS);
    try {
      while (!this.isOver) if (!(await this.turn())) return;
      await this.rows.release(this.claim);
    } finally {
      clearInterval(renewal);
      this.isOver = true;
    }
  }

  /** @returns false where the lane has ended */
  private async turn(): Promise<boolean> {
    try {
      const found = await this.find(this.claim);
      if (!found) return !(await this.rows.finish(this.claim, this.claim.row.changes));
      if (!(await this.work(found)) && (await this.rows.finish(this.claim, found.ledger.changes))) return false;
      await this.wait(found);
    } catch (error) {
      const isOfTheNetwork = error instanceof RpcUnavailableError;
      this.logger[isOfTheNetwork ? 'debug' : 'warn']('Transactions could not be processed', {
        account: this.claim.row.id,
        cause: causeOf(error),
      });
      this.isWhole = true;
      await this.pause.take(FAILURE_PAUSE_MS);
    }
    if (performance.now() - this.startedAt > LONGEST_MS) this.isOver = true;
    return true;
  }

  /** @returns whether anything is left to be done */
  private async work(found: FoundAccount): Promise<boolean> {
    const { isWhole } = this;
    this.isWhole = false;
    this.wasWoken = false;
    this.view ??= await found.chain.read(found.ledger.address);
    // A higher one is believed when it has lasted.
    if (this.view.nonce <= found.ledger.nextNonce) this.seen(this.view);
    const context: LaneContext = { ...found, view: this.view, memory: this.memory };
    if (isWhole) return this.step.process(context);
    await this.step.sendNew(context);
    return true;
  }

  /** Until the chain has a new state, the lane is woken, or a transaction may be tried again. */
  private async wait({ chain, ledger }: FoundAccount): Promise<void> {
    this.next ??= chain
      .next(ledger.address)
      .then(
        (view) => {
          this.view = view;
        },
        () => {
          this.view = undefined;
        },
      )
      .finally(() => {
        this.next = undefined;
        this.isWhole = true;
        this.pause.end();
      });
    if (this.wasWoken || this.isWhole || this.isOver) return;
    await this.pause.take(Math.min(LONGEST_PAUSE_MS, this.memory.nextTry ?? Infinity));
  }

  private async renew(): Promise<void> {
    try {
      const renewed = await this.rows.renew(this.claim);
      if (renewed) this.claim = renewed;
      else this.stop();
    } catch {
      // The database may be away for a moment; the lease shows whether it was too long.
    }
  }
}
