import { within } from '../../../common/event-loop/within';
import { orOn } from '../../../common/errors/or-on';
import { greatest, least } from '../../../common/validation/big-integer';
import { RpcUnavailableError } from '../../rpc/endpoint-error';
import type { RpcPool } from '../../rpc/rpc-pool';
import type { AttemptOrder, Drafted, Fit } from '../../transaction-chain';
import { readBalance } from '../account';
import { unlessUnreadable } from '../node-read';
import type { UnsignedTransaction } from '../transaction/unsigned-transaction';
import { areEnough, fromEach, lowerMedian, readAgreedHead, upperMedian } from './agreement';
import { callOf, noop } from './attempt-form';
import { hasCode } from './chain-reads';
import { estimateGas, type Failure, type Refusal } from './estimate';
import { gasLimitOf, TRANSFER_GAS, withMargin } from './gas-limits';
import type { LastingGasLimit } from './lasting-gas-limit';
import { RecentReads } from './recent-reads';
import { OF_THE_ENDPOINT } from './send-errors';
import { type EvmRequest, intrinsicGas } from './transaction-request';
import { estimateFee } from './zksync-estimate';

/** How long estimates for no-ops are used: they are the same for all nonces of an account. */
const NOOP_MS = 3000;

/** How long a client waits for the simulation of its request, which is simulated again before it is signed. */
const CLIENT_PATIENCE_MS = 12_000;

type Estimate = { gas: bigint } | Failure;

/** Determines the gas limits of the transactions on one chain. */
export class GasEstimates {
  private readonly noops = new RecentReads<bigint[]>(NOOP_MS);

  /** @param blockLimit the gas limit of the newest block; undefined before one was read */
  constructor(
    private readonly pool: RpcPool,
    private readonly network: { readonly chainId: string; readonly tags: readonly string[] },
    private readonly blockLimit: () => bigint | undefined,
    private readonly lasting: LastingGasLimit,
  ) {}

  /** The maximum gas of a transaction: that of a block, or less because of EIP-7825. */
  get limit(): bigint {
    return gasLimitOf(this.network.chainId, this.blockLimit());
  }

  /** The gas limit of an attempt, or why there is none. @throws RpcUnavailableError */
  async of(order: AttemptOrder): Promise<bigint | Drafted<UnsignedTransaction>> {
    if (order.kind === 'noop') return this.noopGas(order);
    const request = order.request as unknown as EvmRequest;
    const given = gasIn(order, request);
    if (given !== undefined) {
      const refused = await this.excess(this.pool, given);
      if (refused !== undefined) return { refused };
      if (request.simulate !== true || order.wasSigned) return given;
    }
    const estimate = await this.estimate(this.pool, order.sender, request, order.believesFew);
    if (estimate === undefined) {
      if (order.believesFew && (await this.isUnsimulable(order))) return { refused: UNSIMULABLE };
      return { waits: 'Waiting: too few nodes could simulate the transaction', forSimulation: true };
    }
    if ('refused' in estimate) return this.refused(estimate.refused, order);
    if ('reverted' in estimate)
      return {
        refused: `Transaction would revert: ${estimate.reverted.reason}`,
        revert: estimate.reverted,
      };
    if (given === undefined) return estimate.gas;
    const tooLow = await this.tooLow(this.pool, order.sender, request, given, estimate.gas);
    return tooLow === undefined ? given : { refused: tooLow };
  }

  /**
   * Why a simulated transaction would run out of gas with the limit that its client gave; undefined if it would not.
   *
   * @param estimated with its margin
   */
  async tooLow(
    pool: RpcPool,
    sender: string,
    request: EvmRequest,
    given: bigint,
    estimated: bigint,
  ): Promise<string | undefined> {
    if (given >= estimated || !(await this.isShortFor(sender, request, withTolerance(given), pool)))
      return undefined;
    return `Transaction would revert: gas_limit (${given}) is less than it needs`;
  }

  /** Whether a no-op has less gas than it needs now; false if that cannot be determined. */
  async isShort(sender: string, gas: bigint): Promise<boolean> {
    const estimate = await this.agreedNoopGas(sender, upperMedian).catch(() => undefined);
    return estimate !== undefined && estimate > gas;
  }

  /**
   * Whether more than half of the endpoints that can simulate a request estimate that it needs more gas than this. The
   * margin does not count.
   */
  async isShortFor(
    sender: string,
    request: EvmRequest,
    gas: bigint,
    pool: RpcPool = this.pool,
  ): Promise<boolean> {
    const call = callOf(sender, request);
    const all = await fromEach(pool, async (one) => {
      const ofZkSync = this.isZkSync ? await estimateFee(one, call) : undefined;
      return ofZkSync ?? (await estimateGas(one, call));
    }).catch((): Estimate[] => []);
    const stated = all.filter(isStated);
    const more = stated.filter((one) => 'gas' in one && one.gas > gas);
    return 2 * more.length > stated.length;
  }

  /**
   * Why a transaction with this gas fits into no block; undefined if it does. Before it is refused, the limit is read
   * from all endpoints, because a single one may be wrong.
   *
   * @throws RpcUnavailableError, NodeRefusedError
   */
  async excess(pool: RpcPool, gas: bigint): Promise<string | undefined> {
    if (gas <= this.limit) return undefined;
    const limit = await this.agreedLimit(pool);
    return gas > limit ? exceedsLimit(gas, limit) : undefined;
  }

  /** Whether a signed transaction with this gas fits into a block. @param head the number of the newest block */
  async fit(gas: bigint, head: number): Promise<Fit> {
    if (gas <= this.limit) return 'now';
    const { chainId } = this.network;
    // The limit of the network itself does not change.
    const ofNetwork = gasLimitOf(chainId);
    const limit = gas > ofNetwork ? ofNetwork : gasLimitOf(chainId, await this.lasting.read(head));
    return gas > limit ? { never: exceedsLimit(gas, limit) } : 'later';
  }

  /**
   * Simulates a request; undefined if no node can. Before it is refused, all endpoints are called: at least half of all
   * must refuse it, and more than half of those that can simulate it, because a single one may be wrong.
   *
   * @param believesFew see {@link AttemptOrder}
   */
  async estimate(
    pool: RpcPool,
    sender: string,
    request: EvmRequest,
    believesFew = false,
  ): Promise<Estimate | undefined> {
    const first = await orOn(RpcUnavailableError, undefined, () =>
      this.estimateOrThrow(this.limit, pool, sender, request),
    );
    if (!first || !isRefusal(first) || pool.members.length === 1) return first;
    return unlessUnreadable(async () => {
      const limit = await this.agreedLimit(pool);
      const estimates = await fromEach(pool, (one) => this.estimateOrThrow(limit, one, sender, request));
      return agreedEstimate(estimates, (refusals) => believesFew || areEnough(refusals, pool));
    });
  }

  /** Simulates a request for which a client waits; undefined if no node can in time. */
  estimateInTime(pool: RpcPool, sender: string, request: EvmRequest): Promise<Estimate | undefined> {
    return within(CLIENT_PATIENCE_MS, this.estimate(pool, sender, request), () => undefined);
  }

  /** What a refusal of a simulation means for an attempt. */
  private async refused(refusal: Refusal, order: AttemptOrder): Promise<Drafted<UnsignedTransaction>> {
    const reason = NEVER[refusal];
    if (reason !== undefined) return { refused: reason };
    if (refusal === 'insufficient_funds') return { waits: LACKS_FUNDS, forFunds: true };
    const isIncapable = saysNothing(refusal);
    if (isIncapable && order.believesFew && (await this.isUnsimulable(order)))
      return { refused: UNSIMULABLE };
    return {
      waits: `Waiting: a node could not simulate it (${refusal})`,
      ...(isIncapable && { forSimulation: true }),
    };
  }

  /**
   * Whether most endpoints fail to simulate a request, in time or for reasons that say nothing about it, before and after
   * they simulate a no-op of the account: one whose nodes are down, or that limits requests, fails at both. The balance
   * must pay for the value: otherwise, a refill may help.
   */
  private async isUnsimulable({ sender, request }: AttemptOrder): Promise<boolean> {
    const wanted = request as unknown as EvmRequest;
    const failures = await unlessUnreadable(() =>
      fromEach(this.pool, async (one) => {
        const fails = async (): Promise<boolean> => {
          const estimate = await orOn(RpcUnavailableError, undefined, () =>
            this.estimateOrThrow(this.limit, one, sender, wanted),
          );
          return !estimate || ('refused' in estimate && saysNothing(estimate.refused));
        };
        if (!(await fails())) return false;
        const [ofNoop, balance] = await Promise.all([
          this.estimateOrThrow(this.limit, one, sender, noop(sender)),
          readBalance(one, sender),
        ]);
        return 'gas' in ofNoop && balance >= BigInt(wanted.value) && (await fails());
      }),
    );
    return failures !== undefined && 2 * failures.filter(Boolean).length > failures.length;
  }

  /** The maximum gas of a transaction, as most endpoints report it. @throws as {@link excess} */
  private async agreedLimit(pool: RpcPool): Promise<bigint> {
    const { chainId } = this.network;
    if (pool.members.length === 1) return this.limit;
    return gasLimitOf(chainId, (await readAgreedHead(pool)).gasLimit);
  }

  /**
   * A no-op needs more gas than a transfer on chains where gas also pays for data or storage (Arbitrum, Mantle,
   * Filecoin), or if the account has code (EIP-7702).
   */
  private async noopGas({ sender, replaces }: AttemptOrder): Promise<bigint> {
    // Of two estimates that differ, the lower one is cheaper, and the higher one is used if a no-op is replaced: it may have
    // had too little gas.
    const isReplaced = replaces.some(({ kind }) => kind === 'noop');
    const estimate = await this.agreedNoopGas(sender, isReplaced ? upperMedian : lowerMedian);
    if (estimate !== undefined) return greatest(estimate, TRANSFER_GAS);
    const isPlain = !this.network.tags.includes('arbitrum-based') && !this.isZkSync;
    return isPlain && !(await hasCode(this.pool, sender)) ? TRANSFER_GAS : 2n * TRANSFER_GAS;
  }

  /**
   * The gas that most endpoints estimate for a no-op, because one that estimates too much would make it too expensive.
   * Undefined if none does, or fewer than half respond.
   *
   * @param median which of two estimates is used
   */
  private async agreedNoopGas(sender: string, median: typeof lowerMedian): Promise<bigint | undefined> {
    const gas = await this.noops.get(sender, () => this.noopEstimates(sender));
    return gas.length === 0 ? undefined : median(gas, (each) => each);
  }

  private async noopEstimates(sender: string): Promise<bigint[]> {
    const estimates = await unlessUnreadable(() =>
      fromEach(this.pool, (one) => this.estimateOrThrow(this.limit, one, sender, noop(sender))),
    );
    return (estimates ?? []).flatMap((estimate) => ('gas' in estimate ? [estimate.gas] : []));
  }

  /**
   * The estimated gas limit, including its margin. What a node estimates below the intrinsic gas could not be sent.
   *
   * @param limit the maximum gas
   */
  private async estimateOrThrow(
    limit: bigint,
    pool: RpcPool,
    sender: string,
    request: EvmRequest,
  ): Promise<Estimate> {
    const call = callOf(sender, request);
    const intrinsic = intrinsicGas(request);
    const ofZkSync = this.isZkSync ? await estimateFee(pool, call) : undefined;
    if (ofZkSync)
      return 'gas' in ofZkSync ? { gas: least(greatest(ofZkSync.gas, intrinsic), limit) } : ofZkSync;
    const estimate = await estimateGas(pool, call);
    if (!('gas' in estimate)) return estimate;
    const gas = withMargin(greatest(estimate.gas, intrinsic), limit);
    return gas === undefined ? { refused: 'out_of_gas' } : { gas };
  }

  private get isZkSync(): boolean {
    return this.network.tags.includes('zksync-based');
  }
}

/**
 * The gas limit of the client, or that with which the same content was signed before: the new attempt offers more for the
 * same execution, and what a single node simulates now decides nothing.
 */
function gasIn({ wasSigned, replaces }: AttemptOrder, request: EvmRequest): bigint | undefined {
  const signed = wasSigned ? replaces.findLast(({ kind }) => kind === 'request')?.gas_limit : undefined;
  const gas = request.gas_limit ?? signed;
  return gas === undefined ? undefined : BigInt(gas);
}

/** Refusals of a simulation after which the transaction can never be executed, with their reasons. */
export const NEVER: Readonly<Partial<Record<Refusal, string>>> = {
  out_of_gas: 'Transaction would revert: it uses more gas than a transaction may have',
  invalid: 'A node considers the transaction invalid',
};

const LACKS_FUNDS = 'Waiting for funds: a node could not simulate it with the balance of the relayer';

const UNSIMULABLE = 'Nodes cannot simulate the transaction, although they simulate others of the account';

/** Estimates of geth are up to 1.5 % too high. */
const withTolerance = (gas: bigint): bigint => gas + gas / 50n;

const exceedsLimit = (gas: bigint, limit: bigint): string =>
  `Transaction gas limit (${gas}) exceeds block gas limit (${limit})`;

/** Refusals that say nothing about the transaction. */
const ABSTENTIONS: readonly Refusal[] = ['unknown', 'wrong_chain', ...OF_THE_ENDPOINT];

/** Whether an endpoint can simulate a request. */
const isStated = (one: Estimate): boolean => !('refused' in one) || !ABSTENTIONS.includes(one.refused);

const isRefusal = (estimate: Estimate): boolean =>
  'reverted' in estimate || ('refused' in estimate && NEVER[estimate.refused] !== undefined);

/**
 * The estimate on which most of those endpoints agree that can simulate the request: a refusal if more than half refuse
 * it, and these suffice; otherwise the higher median of the gas, because a transaction with too little
 * of it pays and fails. Undefined if there is none.
 */
function agreedEstimate(
  estimates: readonly Estimate[],
  suffice: (refusals: number) => boolean,
): Estimate | undefined {
  const stated = estimates.filter(isStated);
  const refusals = stated.filter(isRefusal);
  if (2 * refusals.length > stated.length && suffice(refusals.length)) return refusals[0];
  const gas = stated.flatMap((one) => ('gas' in one ? [one.gas] : []));
  if (gas.length > 0) return { gas: upperMedian(gas, (each) => each) };
  return stated.find((one) => !isRefusal(one));
}

/** Whether a refusal to simulate says nothing about the transaction: nodes also call time and work limited. */
const saysNothing = (refusal: Refusal): boolean =>
  refusal === 'unknown' || OF_THE_ENDPOINT.some((cause) => cause === refusal);
