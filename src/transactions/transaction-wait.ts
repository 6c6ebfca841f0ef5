import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { OngoingAccess } from '../access/ongoing-access';
import { currentPrincipal } from '../access/principal';
import { GroupSlots, type ReleaseSlot } from '../background/slots';
import { overloaded } from '../common/errors/retry-later.error';
import { currentRequest } from '../common/http/request-context';
import type { AppConfig } from '../config/app-config';
import { Stopping } from '../lifecycle/stopping';
import { TransactionQueries } from './transaction-queries';
import { isFinal, TRANSACTION_STATUSES, type TransactionStatus } from './transaction-status';
import type { TransactionEntity } from './transaction.entity';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1000;
/** Requests that may wait for a status in a process; further ones get 503. @limit Transactions */
const MAX_WAITING = 500;
/** Requests of one API key that may wait for a status in a process; further ones get 503. @limit Transactions */
const MAX_WAITING_OF_ONE = 250;
/** The part of the request timeout that is reserved for the response. */
const MARGIN_MS = 1000;

/** Waits until a transaction has a given or a final status, so that scripts need no loop. */
@Injectable()
export class TransactionWait {
  private readonly longestMs: number;
  /** By API key, so that none can keep all others from waiting. */
  private readonly slots = new GroupSlots<string>(MAX_WAITING, MAX_WAITING_OF_ONE, (id) => id);

  constructor(
    private readonly queries: TransactionQueries,
    private readonly access: OngoingAccess,
    private readonly stopping: Stopping,
    config: ConfigService<AppConfig, true>,
  ) {
    this.longestMs = config.get('http', { infer: true }).requestTimeoutMs - MARGIN_MS;
  }

  /**
   * Returns the transaction once it has the status, is final, the time has elapsed, or the service begins to stop.
   *
   * @param timeoutMs at most, and by default, the request timeout less a second
   * @throws DomainError as `TransactionQueries.getOrThrow`, and `overloaded`
   */
  async until(
    relayerId: string,
    id: string,
    status: TransactionStatus,
    timeoutMs = this.longestMs,
  ): Promise<TransactionEntity> {
    const release = this.takeSlot();
    try {
      const end = performance.now() + Math.min(timeoutMs, this.longestMs);
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
        const current = await this.queries.statusOf(relayerId, id);
        const left = end - performance.now();
        const isOver = !(left > 0) || this.stopping.hasBegun || currentRequest()?.isOver === true;
        if (hasReached(current, status) || isOver) return await this.queries.getOrThrow(relayerId, id);
        await sleep(Math.min(pause, left));
        await this.access.recheck('transactions:read');
      }
    } finally {
      release();
    }
  }

  private takeSlot(): ReleaseSlot<unknown> {
    const principal = currentPrincipal();
    // All clients may share the root key, so it has no share of its own.
    const release = this.slots.take(principal?.kind === 'api_key' ? principal.id : randomUUID());
    if (release) return release;
    const whose = this.slots.free > 0 ? ' of this API key' : '';
    throw overloaded(`too many requests${whose} wait for transactions`);
  }
}

/** `mined` includes `confirmed`. Every final status ends the wait. */
const hasReached = (current: TransactionStatus, wanted: TransactionStatus): boolean =>
  isFinal(current) ||
  (!isFinal(wanted) && TRANSACTION_STATUSES.indexOf(current) >= TRANSACTION_STATUSES.indexOf(wanted));
