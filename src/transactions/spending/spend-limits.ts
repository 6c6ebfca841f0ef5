import { Injectable } from '@nestjs/common';
import { MoreThanOrEqual } from 'typeorm';
import { greatest, least, parseBigInteger } from '../../common/validation/big-integer';
import type { DomainError } from '../../common/errors/domain-error';
import { getOrCreate } from '../../common/get-or-create';
import { UnitOfWork } from '../../database/unit-of-work';
import type { EvmPolicies } from '../../relayers/policies/evm-policies.dto';
import type { SpendLimit } from '../../relayers/policies/transaction-policy.dto';
import type { ActingRelayer } from '../../relayers/relayer.entity';
import type { Chain } from '../processing/lane-context';
import { transactionNotAllowed } from '../../signing/authorization/authorization.errors';
import { limitsChanged } from '../transaction.errors';
import type { StoredRequest, TransactionEntity } from '../transaction.entity';
import { AccountSpendingEntity } from './account-spending.entity';

const MINUTE_MS = 60_000;
/**
 * Spending is summed up in intervals of this length. An interval that is partly within the period of a limit counts in
 * full.
 */
const BUCKET_MS = 5 * MINUTE_MS;
const PERIODS_MS = { '1h': 60 * MINUTE_MS, '24h': 1440 * MINUTE_MS, '7d': 10_080 * MINUTE_MS } as const;
/** If fees are limited, a transaction may pay at most this many times the fees at acceptance. */
const FEE_FACTOR = 2n;

/**
 * Limits the spending of relayers in a period (`policies.transactions.spend_limits`). Spending is reserved when a
 * transaction is accepted, under the lock on the account's ledger, and settled when it is final.
 */
@Injectable()
export class SpendLimits {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Whether fees of the relayer are limited, so that the gas limit of each transaction must be known. */
  limitsFees(relayer: ActingRelayer): boolean {
    return limitsOf(relayer).some(({ max_fee }) => max_fee !== undefined);
  }

  /**
   * If fees are limited, sets the maximum fee of a transaction. It is reserved together with twice the current fees of
   * rollups, which a transaction cannot limit.
   *
   * @throws RpcUnavailableError
   */
  async limitFees(relayer: ActingRelayer, chain: Chain, request: StoredRequest): Promise<StoredRequest> {
    const limits = limitsOf(relayer);
    if (limits.length === 0) return request;
    if (!this.limitsFees(relayer)) return { ...request, is_counted: true };
    const gas = parseBigInteger(request.gas_limit);
    if (gas === undefined)
      throw transactionNotAllowed(
        'policies.transactions.spend_limits limits fees: gas_limit is required now',
      );
    const [price, { data, operator }] = await Promise.all([
      chain.priceAt(request),
      chain.rollupFeesOf(relayer.address, request),
    ]);
    const rollupFees = data + operator;
    const isGiven = request.speed === null;
    return {
      ...request,
      is_counted: true,
      max_fee: (gas * (isGiven ? price : price * FEE_FACTOR)).toString(),
      ...(rollupFees > 0n && { data_fee: (rollupFees * FEE_FACTOR).toString() }),
    };
  }

  /**
   * The budget for new transactions. Must be called while the ledger is locked.
   *
   * @param relayers the relayers of the account, with the policies that the transactions were checked against
   */
  async budgetOf(relayers: readonly ActingRelayer[], accountId: string): Promise<Budget> {
    const limits = relayers.flatMap(limitsOf);
    const now = Date.now();
    if (limits.length === 0) return new Budget(accountId, [], now);
    const longest = Math.max(...limits.map(({ per }) => PERIODS_MS[per]));
    const spent = await this.rows.findBy({ accountId, bucket: MoreThanOrEqual(bucketAt(now - longest)) });
    return new Budget(accountId, spent, now);
  }

  /** Saves the amounts taken from the budget. @param at the time of the transactions, by which settling finds them */
  async reserve(budget: Budget, at: Date): Promise<void> {
    const { value, fee } = budget.mark();
    if (value === 0n && fee === 0n) return;
    await this.add(budget.accountId, bucketAt(at.getTime()), value, fee);
  }

  /**
   * Reserves the amount by which the new content of a transaction may exceed its reservation, because any of its
   * attempts may be mined. Must be called while the ledger is locked.
   *
   * @returns the request to store
   * @throws DomainError `transaction_not_allowed`; `unavailable` if limits were set after {@link limitFees}
   */
  async reserveReplacement(
    relayer: ActingRelayer,
    { accountId, request: old }: TransactionEntity,
    request: StoredRequest,
  ): Promise<StoredRequest> {
    const before = reservedFor(old);
    const limits = limitsOf(relayer);
    if (limits.length === 0)
      return old.is_counted === true ? withReserved(request, before) : withoutReservation(request);
    if (!isCountedFor(limits, request)) throw limitsChanged();
    const wanted = amountsOf(request);
    const further = {
      value: greatest(wanted.value - before.value, 0n),
      fee: greatest(wanted.fee - before.fee, 0n),
    };
    const payable = withFee(request, before.fee);
    if (further.value === 0n && further.fee === 0n) return withReserved(payable, before);
    const budget = await this.budgetOf([relayer], accountId);
    const over = budget.takeAmounts(limits, further);
    if (over) throw over;
    const at = new Date();
    await this.reserve(budget, at);
    return withReserved(payable, {
      value: before.value + further.value,
      fee: before.fee + further.fee,
      later: withPart(before.later, bucketAt(at.getTime()), further),
    });
  }

  /**
   * Releases the parts of the reservations of final transactions that they have not spent. Each interval of an account is
   * changed only once: its row stays locked until the end of the unit of work, and new transactions wait for it.
   */
  async settle(rows: readonly TransactionEntity[]): Promise<void> {
    const sums = new Map<string, Released>();
    for (const { accountId, bucket, value, fee } of rows.flatMap(releasedBy)) {
      const none = { accountId, bucket, value: 0n, fee: 0n };
      const sum = getOrCreate(sums, `${bucket} ${accountId}`, () => none);
      sum.value += value;
      sum.fee += fee;
    }
    for (const { accountId, bucket, value, fee } of sums.values())
      await this.add(accountId, bucket, -value, -fee);
  }

  private async add(accountId: string, bucket: number, value: bigint, fee: bigint): Promise<void> {
    const where = { accountId, bucket };
    const row = await this.rows.findOne({ where, ...this.unitOfWork.lockingRows });
    if (!row) {
      await this.rows.insert({ ...where, ...textsOf({ value, fee }) });
      return;
    }
    const sum = { value: BigInt(row.value) + value, fee: BigInt(row.fee) + fee };
    await this.rows.update(where, textsOf(sum));
  }

  private get rows() {
    return this.unitOfWork.repository(AccountSpendingEntity);
  }
}

interface Amounts {
  value: bigint;
  fee: bigint;
}

/** The remaining budget of an account for the requests of one database transaction. */
export class Budget {
  private taken: Amounts = { value: 0n, fee: 0n };

  constructor(
    readonly accountId: string,
    private readonly spent: readonly AccountSpendingEntity[],
    private readonly now: number,
  ) {}

  /** The amounts taken so far. */
  mark(): Amounts {
    return this.taken;
  }

  reset(mark: Amounts): void {
    this.taken = mark;
  }

  /** Takes the maximum amounts that a request may spend. @returns why they cannot be taken */
  take(relayer: ActingRelayer, request: StoredRequest): DomainError | undefined {
    const limits = limitsOf(relayer);
    // A request that was counted will be settled, so it is reserved even if the limits have been removed since.
    if (limits.length === 0 && request.is_counted !== true) return undefined;
    if (!isCountedFor(limits, request)) return limitsChanged();
    return this.takeAmounts(limits, amountsOf(request));
  }

  /** As {@link take}, for amounts in wei. */
  takeAmounts(limits: readonly SpendLimit[], wanted: Amounts): DomainError | undefined {
    const value = this.taken.value + wanted.value;
    const fee = this.taken.fee + wanted.fee;
    for (const [i, limit] of limits.entries()) {
      const over =
        this.excess(limit, 'max_value', 'value', value, i) ?? this.excess(limit, 'max_fee', 'fee', fee, i);
      if (over) return over;
    }
    this.taken = { value, fee };
    return undefined;
  }

  private excess(
    limit: SpendLimit,
    name: 'max_value' | 'max_fee',
    column: 'value' | 'fee',
    wanted: bigint,
    index: number,
  ): DomainError | undefined {
    const max = parseBigInteger(limit[name]);
    if (max === undefined) return undefined;
    const since = bucketAt(this.now - PERIODS_MS[limit.per]);
    const counted = this.spent.filter(({ bucket }) => bucket >= since);
    const spent = counted.reduce((sum, row) => sum + BigInt(row[column]), 0n);
    if (spent + wanted <= max) return undefined;
    const left = max - spent - this.taken[column];
    const used = counted.filter((row) => BigInt(row[column]) > 0n);
    const oldest = Math.min(...used.map(({ bucket }) => bucket), bucketAt(this.now));
    const frees = new Date(oldest * BUCKET_MS + BUCKET_MS + PERIODS_MS[limit.per]).toISOString();
    const isAbove = wanted - this.taken[column] > max;
    return transactionNotAllowed(
      `policies.transactions.spend_limits[${index}].${name}: ${greatest(left, 0n)} wei are left of ${max} per ${limit.per}; ${isAbove ? 'the request alone is above the limit' : `more at ${frees}`}`,
    );
  }
}

/**
 * Whether a request has the amounts that these limits count. They are missing if the limits were set after
 * {@link SpendLimits.limitFees}: its fee would count as 0, and its reservation would never be released.
 */
const isCountedFor = (limits: readonly SpendLimit[], request: StoredRequest): boolean =>
  limits.every(
    (limit) =>
      request.is_counted === true && (limit.max_fee === undefined || typeof request.max_fee === 'string'),
  );

/** The number of the five-minute interval that contains a time. */
export const bucketAt = (time: number): number => Math.floor(time / BUCKET_MS);

const amountIn = (amount: unknown): bigint => (typeof amount === 'string' ? BigInt(amount) : 0n);

/** The maximum amounts that a request may spend. */
const amountsOf = ({ value, max_fee, data_fee }: StoredRequest): Amounts => ({
  value: amountIn(value),
  fee: amountIn(max_fee) + amountIn(data_fee),
});

/** The total reservation of a request, and the parts that its replacements added. */
interface Reserved extends Amounts {
  later: readonly LaterPart[];
}

interface LaterPart {
  bucket: number;
  value: string;
  fee: string;
}

/** The stored form, in decimal strings. */
interface StoredReservation {
  value: string;
  fee: string;
  later?: readonly LaterPart[];
}

/** Adds a reservation: one part per interval, however often a transaction is replaced. */
function withPart(parts: readonly LaterPart[], bucket: number, { value, fee }: Amounts): LaterPart[] {
  const last = parts.at(-1);
  if (last?.bucket !== bucket) return [...parts, { bucket, ...textsOf({ value, fee }) }];
  const sum = { value: BigInt(last.value) + value, fee: BigInt(last.fee) + fee };
  return [...parts.slice(0, -1), { bucket, ...textsOf(sum) }];
}

/** What is released in an interval of an account. */
interface Released extends Amounts {
  accountId: string;
  bucket: number;
}

/**
 * What a final transaction has not spent; negative if it has spent more. If it was replaced, the last reservation is
 * released first. What it has spent is what the endpoints agree on; a single endpoint is believed.
 */
function releasedBy({ accountId, request, inclusion, attempt, createdAt }: TransactionEntity): Released[] {
  if (request.is_counted !== true) return [];
  const reserved = reservedFor(request);
  const hasPaid = attempt?.kind === 'request' && inclusion?.succeeded === true;
  let value = reserved.value - (hasPaid ? BigInt(attempt.value) : 0n);
  // If the node does not report the fee that was paid, the whole reservation counts as paid.
  let fee = reserved.fee - (inclusion ? BigInt(inclusion.fee ?? reserved.fee) : 0n);
  const released: Released[] = [];
  for (const part of [...reserved.later].reverse()) {
    const back = { value: within(value, part.value), fee: within(fee, part.fee) };
    released.push({ accountId, bucket: part.bucket, ...back });
    value -= back.value;
    fee -= back.fee;
  }
  return [...released, { accountId, bucket: bucketAt(createdAt.getTime()), value, fee }];
}

/** The reservation of a request: its own amounts or, if it was replaced, the stored reservation. */
function reservedFor(request: StoredRequest): Reserved {
  if (request.is_counted !== true) return { value: 0n, fee: 0n, later: [] };
  const reserved = request.reserved as StoredReservation | undefined;
  if (!reserved) return { ...amountsOf(request), later: [] };
  return { value: amountIn(reserved.value), fee: amountIn(reserved.fee), later: reserved.later ?? [] };
}

/**
 * A replacement may pay the fee that is reserved, even if fees have fallen since: to replace the old content, it must
 * offer more than that did.
 */
function withFee(request: StoredRequest, reserved: bigint): StoredRequest {
  if (typeof request.max_fee !== 'string') return request;
  const fee = greatest(BigInt(request.max_fee), reserved - amountIn(request.data_fee));
  return { ...request, max_fee: fee.toString() };
}

const withReserved = (request: StoredRequest, { later, ...amounts }: Reserved): StoredRequest => ({
  ...request,
  is_counted: true,
  reserved: { ...textsOf(amounts), later },
});

/**
 * Removes the amounts that {@link SpendLimits.limitFees} added: they were never reserved, so they must not be released.
 */
const withoutReservation = (request: StoredRequest): StoredRequest => {
  const stored: StoredRequest = { ...request, max_fee: null };
  delete stored.is_counted;
  delete stored.data_fee;
  return stored;
};

const textsOf = ({ value, fee }: Amounts) => ({ value: value.toString(), fee: fee.toString() });

/** Limits an amount to the range from 0 to `most`. */
const within = (amount: bigint, most: string): bigint => greatest(least(amount, BigInt(most)), 0n);

const limitsOf = ({ policies }: ActingRelayer): readonly SpendLimit[] =>
  (policies as EvmPolicies).transactions?.spend_limits ?? [];
