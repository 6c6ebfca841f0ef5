import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { readAgreedBalance } from '../../chains/evm/sending/agreement';
import { DomainError, invalidRequest } from '../../common/errors/domain-error';
import { causeOf } from '../../common/errors/error-cause';
import { KeyedTurns } from '../../common/event-loop/keyed-turns';
import { outsideRequests } from '../../common/http/request-context';
import { RelayerChain } from '../../relayers/chain-access/relayer-chain';
import { BalanceWatch, type ReadBalance } from '../../relayers/checks/balance-watch';
import { type TopUpRule, topUpRuleOf } from '../../relayers/policies/top-up-policy.dto';
import { topUpSourceFault } from '../../relayers/policies/top-up-source';
import type { RelayerEntity } from '../../relayers/relayer.entity';
import { RelayersService } from '../../relayers/relayers.service';
import { AccountChangedError } from '../transaction.errors';
import { TransactionsService } from '../transactions.service';
import { SourceFunds } from './source-funds';
import { TopUpMetrics } from './top-up.metrics';
import { TopUpRows } from './top-up-rows';

/** Top-ups that an instance tries at the same time; others wait for a later check. @limit Transactions */
const MAX_IN_PROGRESS = 32;
const STOP_MS = 2000;
/** How long top-ups from the same relayer wait for each other. */
const TURN_MS = 10_000;
/** How often a top-up is computed while other requests concern the account of its sender. */
const MAX_TRIES = 3;
/** How long a top-up may wait to be mined before a no-op takes its nonce. @limit Transactions */
const VALID_MS = 3_600_000;

/** Sends coins from one relayer to another whose balance is below the threshold in its policies (`policies.top_up`). */
@Injectable()
export class TopUps implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(TopUps.name);
  private readonly inProgress = new Map<string, Promise<void>>();
  private readonly turns = new KeyedTurns(TURN_MS);
  private subscription: Subscription | undefined;

  constructor(
    private readonly balances: BalanceWatch,
    private readonly relayers: RelayersService,
    private readonly chain: RelayerChain,
    private readonly rows: TopUpRows,
    private readonly funds: SourceFunds,
    private readonly transactions: TransactionsService,
    private readonly metrics: TopUpMetrics,
  ) {}

  onModuleInit(): void {
    this.subscription = this.balances.balanceRead.subscribe((read) => {
      outsideRequests(() => this.consider(read));
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.subscription?.unsubscribe();
    await Promise.race([Promise.all(this.inProgress.values()), sleep(STOP_MS, undefined, { ref: false })]);
  }

  private consider({ relayer: { id, policies }, balance }: ReadBalance): void {
    const rule = topUpRuleOf(policies);
    if (!rule || balance >= rule.below) return;
    if (this.inProgress.has(id) || this.inProgress.size >= MAX_IN_PROGRESS) return;
    const work = this.topUp(id)
      .catch((error: unknown) => {
        this.metrics.count('failed');
        this.logger.warn('A relayer could not be topped up', { relayer_id: id, cause: causeOf(error) });
      })
      .finally(() => this.inProgress.delete(id));
    this.inProgress.set(id, work);
  }

  /**
   * Reads the balance again when no other top-up is open, so that an amount that another one has already sent is not
   * sent twice.
   */
  private async topUp(id: string): Promise<void> {
    const relayer = await this.relayers.find(id);
    const rule = relayer && topUpRuleOf(relayer.policies);
    // A pause also stops payments to an account whose key others may have.
    if (!rule || relayer.paused) return;
    const key = await this.rows.claim(id, rule.fromRelayer);
    if (key === undefined) return;
    try {
      await this.turns.run(rule.fromRelayer, () => this.trySending(relayer, rule, key));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // Another instance has sent it, based on a different balance.
      if (error.code === 'idempotency_conflict') return;
      this.metrics.count('rejected');
      const described = { relayer_id: id, from_relayer: rule.fromRelayer, cause: error.detail };
      this.logger.warn('A top-up was rejected', described);
    }
  }

  /**
   * Two top-ups from one relayer must not count the same coins, so each is only accepted if nothing else has concerned
   * the account since its funds were read.
   */
  private async trySending(relayer: Readonly<RelayerEntity>, rule: TopUpRule, key: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.send(relayer, rule, key);
        return;
      } catch (error) {
        if (!(error instanceof AccountChangedError) || tries === MAX_TRIES) throw error;
      }
    }
  }

  private async send(relayer: Readonly<RelayerEntity>, rule: TopUpRule, key: string): Promise<void> {
    const { fromRelayer: from, below, to } = rule;
    const source = await this.relayers.find(from);
    const fault = topUpSourceFault(relayer, source);
    if (!source || fault !== undefined) throw invalidRequest(fault ?? '');
    // Both balances are read from the payer's endpoints, because the receiver's own endpoints could always report a
    // balance that is too low.
    const { pool } = await this.chain.getOrThrow(source);
    // A single endpoint that has stalled must not cause one top-up after another.
    const balance = await readAgreedBalance(pool, relayer.address);
    if (balance === undefined) throw new Error('fewer than half of the endpoints report its balance');
    if (balance >= below) return;
    const value = to - balance;
    // A transaction that the sender cannot pay for would delay all later ones.
    const { free, ledgerChanges } = await this.funds.of(source, relayer.address);
    if (free < value)
      throw invalidRequest(
        `the balance of relayer ${from} does not cover it, together with its fees and what its open transactions may cost`,
      );
    // Reading the funds takes a while, and what was changed meanwhile counts.
    if (!(await this.isCurrent(relayer, key))) return;
    const metadata = { top_up: relayer.id };
    const valid_until = new Date(Date.now() + VALID_MS).toISOString();
    const body = { to: relayer.address, value: value.toString(), speed: 'average', metadata, valid_until };
    const confirm = async (): Promise<void> => {
      if (!(await this.isCurrent(relayer, key)))
        throw invalidRequest('the relayer was paused or changed, or another top-up of it has begun');
    };
    const conditions = { ledgerChanges, confirm };
    const { transaction, isReplay } = await this.transactions.submit(from, body, key, conditions);
    if (isReplay) return;
    this.metrics.count('accepted');
    this.logger.log('A relayer is topped up', {
      ...{ relayer_id: relayer.id, from_relayer: from, value: body.value },
      transaction: transaction.id,
    });
  }

  /** Whether the receiver is not paused, has the same rule and address, and no other top-up of it has begun. */
  private async isCurrent({ id, address, policies }: Readonly<RelayerEntity>, key: string): Promise<boolean> {
    const current = await this.relayers.find(id);
    if (!current || current.paused || current.address !== address) return false;
    return (
      isDeepStrictEqual(topUpRuleOf(current.policies), topUpRuleOf(policies)) &&
      (await this.rows.isClaimed(id, key))
    );
  }
}
