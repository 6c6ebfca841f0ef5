import { Logger } from '@nestjs/common';
import { causeOf } from '../../common/errors/error-cause';
import { orOn } from '../../common/errors/or-on';
import { Pause } from '../../common/event-loop/pause';
import type { ChainView } from '../../chains/transaction-chain';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import type { AccountNonceEntity } from '../account-nonce.entity';
import type { AccountStep } from '../processing/account-step';
import type { LaneContext } from '../processing/lane-context';
import { LaneMemory } from '../processing/lane-memory';
import type { AccountWaits } from '../processing/long-waits';
import type { Account } from '../processing/open-transactions';
import type { LaneClaim, LaneRows } from './lane-rows';
import { NoEndpointError } from './no-endpoint.error';

const RENEW_MS = 2000;
const FAILURE_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;
/** After so many failures in a row to reach the chain, and as many more, clients see why their transactions wait. */
const EXPLAINED_FAILURES = 3;

/** An account with everything that is needed to process it. */
export type FoundAccount = Pick<LaneContext, 'ledger' | 'relayer' | 'readAt' | 'isFrozen' | 'chain'>;

/** Undefined if the account's relayer no longer exists. Rejects with a NoEndpointError if it can reach no chain. */
export type FindAccount = () => Promise<FoundAccount | undefined>;

/**
 * Processes one account during its lease. Two loops run concurrently: one sends whenever it is woken; the other follows
 * the chain at each new state. Conditional updates resolve conflicts between them.
 */
export class Lane {
  private readonly logger = new Logger('TransactionLane');
  private readonly memory: LaneMemory;
  private readonly sendPause = new Pause();
  private readonly followPause = new Pause();
  private readonly startedAt = performance.now();
  /** The last state of the chain that was processed; undefined while none can be read. */
  private view: ChainView | undefined;
  /** The newest state that was read; undefined after a failure, so that the chain is read again. */
  private newest: ChainView | undefined;
  /** How often the chain could not be read since it last was. */
  private failures = 0;
  private isOver = false;
  private renewal: Promise<void> | undefined;

  constructor(
    private claim: LaneClaim,
    private readonly rows: LaneRows,
    private readonly step: AccountStep,
    private readonly find: FindAccount,
    /** Called when the nonce of the account has been read, and the ledger before the step with it. */
    private readonly seen: (view: ChainView, ledger: AccountNonceEntity) => void,
    private readonly waits: AccountWaits,
    /** See `TransactionSettings`. */
    private readonly laneMs: number,
  ) {
    this.memory = new LaneMemory(undefined, waits.of(claim.row.id));
  }

  /** @param isChange whether a transaction that was already sent is to be changed, rather than new ones sent */
  wake(isChange: boolean): void {
    this.sendPause.end();
    if (isChange) this.followPause.end();
  }

  stop(): void {
    this.isOver = true;
    this.sendPause.end();
    this.followPause.end();
  }

  /** Resolves when no work is left, or the account has been released. */
  async run(): Promise<void> {
    const timer = setInterval(() => void this.renew(), RENEW_MS);
    try {
      const isFinished = await Promise.all([this.follow(), this.send()]).then(([finished]) => finished);
      await this.renewal;
      if (!isFinished) await this.rows.release(this.claim);
    } finally {
      clearInterval(timer);
    }
  }

  /** Follows the chain. @returns whether no work is left */
  private async follow(): Promise<boolean> {
    while (!this.isOver) {
      try {
        const found = await this.find();
        const isLeft = found ? await this.followOnce(found) : false;
        this.failures = 0;
        if (!isLeft && (await this.finish(found))) {
          this.waits.finished(this.claim.row.id);
          this.stop();
          return true;
        }
        if (found) await this.untilNext(found);
        // The relayer was deleted, or the lease lost: the next claim sees the current state.
        else this.stop();
      } catch (error) {
        this.newest = undefined;
        if (error instanceof RpcUnavailableError) await this.explainOutage(this.find);
        if (error instanceof NoEndpointError) await this.explainOutage(() => Promise.resolve(error.account));
        await this.failed(error, this.followPause);
      }
      // The limit is the result of a search that may have taken until the end of the lane.
      const mayTakeMs = this.memory.hasNonceLimit ? 2 * this.laneMs : this.laneMs;
      if (performance.now() - this.startedAt > mayTakeMs) this.stop();
    }
    return false;
  }

  private async followOnce(found: FoundAccount): Promise<boolean> {
    this.newest ??= await found.chain.read(found.ledger.address);
    const { view: read, isCertain } = await agreedView(this.newest, found);
    const view = { ...read, nonce: Math.min(read.nonce, this.memory.takeNonceLimit()) };
    this.view = view;
    this.memory.waits.begin(view.head);
    // A higher nonce is only accepted once it has persisted.
    if (isCertain && view.nonce <= found.ledger.nextNonce) this.seen(view, found.ledger);
    this.sendPause.end();
    return this.step.follow({ ...found, view, memory: this.memory });
  }

  /** Waits until the chain has a new state, or a change is requested. */
  private async untilNext({ chain, ledger }: FoundAccount): Promise<void> {
    const next = chain.next(ledger.address).then(
      (view) => {
        this.newest = view;
        this.followPause.end();
      },
      () => {
        this.newest = undefined;
        this.view = undefined;
        this.followPause.end();
      },
    );
    await Promise.race([next, this.followPause.take(LONGEST_PAUSE_MS)]);
  }

  private async send(): Promise<void> {
    while (!this.isOver) {
      try {
        const { view } = this;
        const found = view && (await this.find());
        if (found && (await this.step.send({ ...found, view, memory: this.memory }))) continue;
        await this.sendPause.take(Math.min(LONGEST_PAUSE_MS, this.memory.nextTry ?? Infinity));
      } catch (error) {
        await this.failed(error, this.sendPause);
      }
    }
  }

  private async explainOutage(find: () => Promise<Account | undefined>): Promise<void> {
    this.failures += 1;
    if (this.failures % EXPLAINED_FAILURES !== 0) return;
    try {
      const found = await find();
      if (found) await this.step.explainOutage(found);
    } catch (error) {
      this.logger.debug('The reason of a wait could not be stored', { cause: causeOf(error) });
    }
  }

  private async failed(error: unknown, pause: Pause): Promise<void> {
    const isQuiet =
      error instanceof RpcUnavailableError || (error instanceof NoEndpointError && !error.isNew);
    this.logger[isQuiet ? 'debug' : 'warn']('Transactions could not be processed', {
      account: this.claim.row.id,
      cause: causeOf(error),
    });
    await pause.take(FAILURE_PAUSE_MS);
  }

  private async finish(found: FoundAccount | undefined): Promise<boolean> {
    // It changes the lease, which the claim must have.
    await this.renewal;
    return this.rows.finish(this.claim, (found?.ledger ?? this.claim.row).changes);
  }

  /** One at a time: with a slow database, the next one would not find the lease that this one changes. */
  private renew(): Promise<void> {
    this.renewal ??= this.tryToRenew().finally(() => {
      this.renewal = undefined;
    });
    return this.renewal;
  }

  private async tryToRenew(): Promise<void> {
    try {
      const renewed = await this.rows.renew(this.claim);
      if (renewed) this.claim = renewed;
      else this.stop();
    } catch {
      // The database may be unavailable for a short time. The lease determines whether that was too long.
    }
  }
}

/**
 * Limits a nonce beyond the ledger to the one that most endpoints report: either the account was used elsewhere, or an
 * endpoint is wrong.
 */
async function agreedView(
  view: ChainView,
  { chain, ledger }: FoundAccount,
): Promise<{ view: ChainView; isCertain: boolean }> {
  if (view.nonce <= ledger.nextNonce) return { view, isCertain: true };
  // While too few endpoints respond, only what is beyond the ledger waits.
  const agreed = await orOn(RpcUnavailableError, undefined, () => chain.agreedNonce(ledger.address));
  const nonce = Math.min(view.nonce, Math.max(agreed ?? 0, ledger.nextNonce));
  return { view: { ...view, nonce }, isCertain: agreed !== undefined };
}
