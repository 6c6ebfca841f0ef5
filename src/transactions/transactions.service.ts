import { Injectable } from '@nestjs/common';
import { readEvmRequest } from '../chains/evm/sending/transaction-request';
import { currentPrincipal } from '../access/principal';
import { ApprovalsService } from '../approvals/approvals.service';
import { fingerprintOf } from '../approvals/fingerprint';
import type { ApprovalKind } from '../config/approvals-format';
import { MAX_DECISION_AGE_MS, OngoingAccess } from '../access/ongoing-access';
import { isReachable } from '../access/relayer-reach';
import { DomainError, invalidRequest, unavailable } from '../common/errors/domain-error';
import { currentRequest } from '../common/http/request-context';
import type { ErrorCode } from '../common/errors/error-codes';
import { Lifecycle } from '../lifecycle/lifecycle';
import type { TransactionMoment } from '../lifecycle/lifecycle-events';
import { parseBigInteger } from '../common/validation/big-integer';
import { isTimeout } from '../database/drivers/driver-errors';
import { callFailure } from '../networks/network.errors';
import { isObject } from '../common/validation/json-object';
import type { EvmPolicies } from '../relayers/policies/evm-policies.dto';
import { sendsPrivately } from '../relayers/policies/private-transactions';
import type { ActingRelayer } from '../relayers/relayer.entity';
import { relayerNotFound } from '../relayers/relayer.errors';
import { RelayersService } from '../relayers/relayers.service';
import { authorizeSignature, needsApproval } from '../signing/authorization/authorize-signature';
import { transactionNotAllowed } from '../signing/authorization/authorization.errors';
import { failureEntry, SignatureRecords } from '../signing/signature-records';
import { isSameAccount } from '../signing/signing-confirmation';
import type { Account, RelayerAccount } from './account-nonce.entity';
import {
  type AcceptedRequest,
  assertMembers,
  type KeyedRequest,
  readCommonMembers,
} from './accepting/accepted-request';
import { AccountFloors, type Floor, NO_FLOOR } from './accepting/account-floors';
import { digestOf, singleKey } from './accepting/idempotency-key';
import { refusedTogether } from './accepting/batch-failure';
import { type BatchItem, batchItems, keyOfItem } from './accepting/batch-items';
import type { AcceptanceResult, Conditions, Submission, UsedApproval } from './accepting/submission';
import { TransactionAcceptance } from './accepting/transaction-acceptance';
import { TransactionChains } from './chains/transaction-chains';
import type { Chain } from './processing/lane-context';
import { SpendLimits } from './spending/spend-limits';
import { AccountChangedError } from './transaction.errors';
import type { StoredRequest, TransactionEntity } from './transaction.entity';

/** Failures after which the caller may not even see transactions that were accepted before. */
const DENIALS: readonly ErrorCode[] = ['unauthorized', 'forbidden', 'relayer_not_found'];
/** How often a floor is read again because the ledger is being lowered. */
const MAX_FLOOR_READS = 3;

const SENT = { form: 'transaction' } as const;

/** A transaction that was accepted, now or by an earlier request with the same key. */
export interface Accepted {
  transaction: TransactionEntity;
  isReplay: boolean;
}

/** A relayer that may send, with its account and chain. */
interface Sender {
  relayer: ActingRelayer;
  /** When the relayer was read, in milliseconds of `performance.now()`. */
  readAt: number;
  account: Account;
  chain: Chain;
  hasEip1559: boolean;
}

/** Accepts transactions: checks them, simulates them, and stores those that may be sent. */
@Injectable()
export class TransactionsService {
  constructor(
    private readonly relayers: RelayersService,
    private readonly chains: TransactionChains,
    private readonly acceptance: TransactionAcceptance,
    private readonly floors: AccountFloors,
    private readonly spending: SpendLimits,
    private readonly access: OngoingAccess,
    private readonly records: SignatureRecords,
    private readonly approvals: ApprovalsService,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * Accepts a transaction. With an idempotency key, a repeated request returns the record of the first one, even if a
   * new request would meanwhile be refused, unless the caller can no longer reach the relayer.
   *
   * @throws DomainError `relayer_not_found`, `signing_frozen`, `relayer_paused`, `relayer_disabled`, `invalid_request`,
   * `transaction_not_allowed`, `network_unavailable`, `idempotency_conflict`, `too_many_transactions`;
   * ApprovalRequiredError, AccountChangedError
   */
  async submit(
    relayerId: string,
    body: unknown,
    idempotencyKey: string | undefined,
    conditions?: Conditions,
  ): Promise<Accepted> {
    const members = assertMembers(body);
    const key = { ...singleKey(idempotencyKey), digest: digestOf(members) };
    try {
      const sender = await this.senderOf(relayerId);
      const request = await this.read(sender, members, key, true);
      const approval = await this.approvalOf(sender, request);
      const [result] = await this.store(sender, [request], { approval, ...conditions });
      return unwrap(result);
    } catch (error) {
      return this.replayOrThrow(relayerId, key, error);
    }
  }

  /**
   * The record of an earlier request with this key. If there is none, the refusal is recorded, even if the response is
   * that the key was used for another body: otherwise policies could be probed unseen.
   *
   * @param error why the request cannot be accepted now
   * @throws that error; DomainError `idempotency_conflict`
   */
  private async replayOrThrow(relayerId: string, key: KeyedRequest, error: unknown): Promise<Accepted> {
    let thrown = error;
    try {
      const relayer = await this.accessible(relayerId, error);
      const transaction = await this.acceptance.findReplay(relayerId, relayer, key);
      if (transaction) return { transaction, isReplay: true };
    } catch (other) {
      thrown = other;
    }
    if (!(error instanceof AccountChangedError)) await this.saveFailures(relayerId, [error]);
    throw thrown;
  }

  /**
   * Accepts several transactions and assigns nonces in their order. With an idempotency key, a repeated request returns
   * the records of the first one, as {@link submit} does.
   *
   * @param atomic whether either all or none are accepted
   * @returns a result for each: the record, or why it was not accepted
   * @throws DomainError as {@link submit}, for errors that concern all of them
   */
  async submitAll(
    relayerId: string,
    bodies: readonly unknown[],
    idempotencyKey: string | undefined,
    atomic: boolean,
  ): Promise<AcceptanceResult[]> {
    const items = batchItems(bodies, idempotencyKey);
    const results = await this.acceptAll(relayerId, items, atomic).catch((error: unknown) =>
      this.replaysOrThrow(relayerId, items, atomic, error),
    );
    await this.saveFailures(
      relayerId,
      results.flatMap((result) => ('error' in result ? [result.error] : [])),
    );
    return results;
  }

  /**
   * The records of a batch that was accepted before, but cannot be accepted now.
   *
   * @param error the reason; if the earlier batch was accepted in part, it is the result of the other items
   * @throws that error if there are no records, or an atomic batch is incomplete
   */
  private async replaysOrThrow(
    relayerId: string,
    items: readonly BatchItem[],
    atomic: boolean,
    error: unknown,
  ): Promise<AcceptanceResult[]> {
    const relayer = await this.accessible(relayerId, error);
    const replays = await Promise.all(items.map((item) => this.replayOf(relayerId, relayer, item)));
    const known = replays.filter((replay) => replay !== undefined).length;
    if (known === items.length || (known > 0 && !atomic)) {
      const results = replays.map((replay) => replay ?? { error });
      return refusedTogether(results, false) ?? results;
    }
    await this.saveFailures(relayerId, [error]);
    throw error;
  }

  /**
   * The relayer that refused a request. Distinguishes a denial from a refusal by a plugin's listener, which may use the
   * same codes.
   *
   * @throws DomainError if the caller may not see accepted transactions either; the error, if the database did not
   * respond in time
   */
  private async accessible(relayerId: string, error: unknown): Promise<RelayerAccount> {
    if (isTimeout(error)) throw error;
    if (isDenial(error)) await this.access.recheck('transactions:write');
    return this.relayers.getOrThrow(relayerId);
  }

  /** The result of an earlier request with this key; undefined if there was none. */
  private async replayOf(
    relayerId: string,
    account: RelayerAccount,
    item: BatchItem,
  ): Promise<AcceptanceResult | undefined> {
    const { body, key } = item;
    if (key.idempotencyKey === null || !isObject(body)) return undefined;
    try {
      const transaction = await this.acceptance.findReplay(relayerId, account, keyOfItem(item, body));
      return transaction && { transaction, isReplay: true };
    } catch (error) {
      return { error };
    }
  }

  private async acceptAll(
    relayerId: string,
    items: readonly BatchItem[],
    atomic: boolean,
  ): Promise<AcceptanceResult[]> {
    const sender = await this.senderOf(relayerId);
    const read = await Promise.all(items.map((item) => this.readItem(sender, item)));
    const refused = refusedTogether(read, atomic);
    if (refused) return refused;
    const accepted = read.flatMap((item) => (isDecided(item) ? [] : [item]));
    const stored = await this.store(sender, accepted, { atomic });
    const results = read.map((item) =>
      isDecided(item) ? item : (stored.shift() ?? { error: new Error('No result') }),
    );
    return refusedTogether(results, false) ?? results;
  }

  /** Checks the new content of an accepted transaction. @throws DomainError as {@link submit} */
  async readReplacement(
    relayerId: string,
    members: Readonly<Record<string, unknown>>,
  ): Promise<AcceptedRequest> {
    const sender = await this.senderOf(relayerId);
    return this.read(sender, members, { ...singleKey(undefined), digest: null });
  }

  /**
   * The approval of a request; undefined if it requires none.
   *
   * @throws ApprovalRequiredError if others have not approved it
   * @throws DomainError `transaction_not_allowed` if there is no client, as for a top-up, because nobody waits for the
   * approval; `idempotency_conflict`
   */
  private async approvalOf(
    { relayer, account, chain }: Sender,
    { request, idempotencyKey, earlierKey, digest }: AcceptedRequest,
  ): Promise<UsedApproval | undefined> {
    const policies: EvmPolicies = relayer.policies;
    if (policies.transactions?.approval_above === undefined && this.approvals.applying === undefined)
      return undefined;
    const kinds: ApprovalKind[] = [];
    if (needsApproval(policies, chain.subjectOf(request).members.value)) kinds.push('transaction');
    if (kinds.length > 0 && !currentPrincipal())
      throw transactionNotAllowed(
        'the value is above policies.transactions.approval_above, and what no client requests, such as a top-up, cannot wait for approval',
      );
    const subject = { base: fingerprintOf([relayer.id, relayer.group, relayer.signerId, account]), relayer };
    this.approvals.check(kinds, subject);
    const id = this.approvals.applying;
    if (id !== undefined) return { id, use: () => this.approvals.require(kinds, subject) };
    // Changes have the key that the client sent.
    const key = earlierKey ?? idempotencyKey;
    if (key !== null && digest !== null) await this.approvals.assertSameRequest(relayer.id, { key, digest });
    return undefined;
  }

  private saveFailures(relayerId: string, errors: readonly unknown[]): Promise<void> {
    return this.records.saveFailures(
      errors.map((error) => failureEntry('transaction.submit', relayerId, SENT, error)),
      errors,
    );
  }

  private async senderOf(relayerId: string): Promise<Sender> {
    const relayer = await this.relayers.getForSending(relayerId);
    const readAt = performance.now();
    const { chain, network } = await this.chains.accessOf(relayer);
    const { networkType, address } = relayer;
    const account = { networkType, chainId: network.chainId ?? '', address };
    return { relayer, readAt, chain, account, hasEip1559: network.features.includes('eip1559') };
  }

  private async readItem(sender: Sender, item: BatchItem): Promise<AcceptedRequest | AcceptanceResult> {
    try {
      const members = assertMembers(item.body);
      return await this.read(sender, members, keyOfItem(item, members));
    } catch (error) {
      // It may have been accepted before, although it is refused now.
      return (await this.replayOf(sender.relayer.id, sender.account, item)) ?? { error };
    }
  }

  private async read(
    { relayer, account, chain, hasEip1559 }: Sender,
    members: Readonly<Record<string, unknown>>,
    key: KeyedRequest,
    canWait = false,
  ): Promise<AcceptedRequest> {
    const policies: EvmPolicies = relayer.policies;
    assertIsPrivate(relayer, chain);
    const common = readCommonMembers(members);
    const request = readEvmRequest(members, {
      chainId: BigInt(account.chainId),
      estimatesGas: policies.gas_limit_estimation !== false,
      cap: parseBigInteger(policies.gas_price_cap),
      hasEip1559,
    });
    const given = { ...request };
    const authorize = (stored: StoredRequest): void => {
      const transaction = chain.subjectOf(stored);
      authorizeSignature(relayer, {
        ...{ form: 'transaction', transaction, isSent: true },
        ...(canWait && { isApproved: true }),
      });
    };
    authorize(given);
    const needsGas = this.spending.limitsFees(relayer);
    const completed = await calling(relayer, chain.complete(account.address, given, needsGas));
    if (completed !== given) authorize(completed);
    const limited = await calling(relayer, this.spending.limitFees(relayer, chain, completed));
    const listeners = this.lifecycle.before('transaction.before', () => momentOf(relayer.id, limited));
    if (listeners) await listeners;
    return { ...common, ...key, request: limited };
  }

  private async store(
    sender: Sender,
    requests: readonly AcceptedRequest[],
    { confirm, ...conditions }: Partial<Conditions & Pick<Submission, 'atomic' | 'approval'>>,
  ): Promise<AcceptanceResult[]> {
    if (requests.length === 0) return [];
    const { account, chain } = sender;
    const storeFrom = async (floor: Floor): Promise<AcceptanceResult[] | undefined> => {
      // Simulations and reading the nonce may have taken seconds. A client that was told that its request failed may
      // have repeated it.
      if (currentRequest()?.isOver && this.approvals.applying === undefined)
        throw unavailable('the request is over');
      const checkedAt = performance.now();
      const check = async () => {
        await confirm?.();
        return this.confirmed(sender);
      };
      const own = { relayer: await check(), checkedAt, check, account, floor, requests };
      return this.acceptance.submit({ ...own, atomic: false, ...conditions });
    };
    let results = await storeFrom(await this.floors.of(account, chain));
    for (let reads = 0; !results && reads < MAX_FLOOR_READS; reads += 1)
      results = await storeFrom(await this.floors.read(account, chain));
    // Without a floor the nonce may be one that was used elsewhere; then the request continues with another.
    results ??= (await storeFrom(NO_FLOOR)) ?? [];
    for (const result of results) this.announce(result);
    return results;
  }

  /** The current state of the relayer: transactions that it has accepted are sent even while it is paused. */
  private async confirmed({ relayer, readAt }: Sender): Promise<ActingRelayer> {
    const recheck = this.access.recheck('transactions:write');
    if (recheck) await recheck;
    const isOld = performance.now() - readAt > MAX_DECISION_AGE_MS;
    const now = isOld ? await this.relayers.getForSending(relayer.id) : relayer;
    if (!isReachable(now) || !isSameAccount(now, relayer)) throw relayerNotFound(relayer.id);
    return now;
  }

  private announce(result: AcceptanceResult): void {
    if ('error' in result || result.isReplay) return;
    const { id, relayerId, request } = result.transaction;
    this.lifecycle.after('transaction.after', () => ({ ...momentOf(relayerId, request), transactionId: id }));
  }
}

/** Waits for the result of calls to a relayer's network. */
const calling = <T>({ network }: ActingRelayer, result: Promise<T>): Promise<T> =>
  result.catch((error: unknown) => {
    throw callFailure(network, error);
  });

const isDecided = (item: AcceptedRequest | AcceptanceResult): item is AcceptanceResult =>
  'error' in item || 'transaction' in item;

const isDenial = (error: unknown): boolean => error instanceof DomainError && DENIALS.includes(error.code);

function momentOf(relayerId: string, request: StoredRequest): TransactionMoment {
  const { to, value, data } = request as { to: string | null; value: string; data: string | null };
  return { relayerId, to, value, data: data ?? '0x' };
}

function unwrap(result: AcceptanceResult | undefined): Accepted {
  if (!result) throw new Error('A transaction has no result');
  if ('error' in result) throw result.error;
  return result;
}

/**
 * @throws DomainError `invalid_request` if no endpoint is private: sending publicly would reveal what must stay hidden
 */
function assertIsPrivate({ policies, network }: ActingRelayer, { hasPrivateEndpoint }: Chain): void {
  if (sendsPrivately(policies) && !hasPrivateEndpoint)
    throw invalidRequest(
      `policies.private_transactions is true, and network ${network} has no private RPC endpoint`,
    );
}
