import { setTimeout as sleep } from 'node:timers/promises';
import { invalidRequest } from '../../../common/errors/domain-error';
import { orOn } from '../../../common/errors/or-on';
import { RpcUnavailableError } from '../../rpc/endpoint-error';
import type { RpcPool } from '../../rpc/rpc-pool';
import type { SendCause } from '../../send-cause';
import type {
  AttemptContent,
  AttemptOrder,
  ChainView,
  Drafted,
  FinalCandidate,
  Fit,
  Inclusion,
  MinedTransaction,
  OutgoingAttempt,
  Revert,
  RollupFees,
  TransactionChain,
} from '../../transaction-chain';
import { keccak256 } from '../keccak256';
import { NodeRefusedError, unlessUnreadable } from '../node-read';
import { toHex } from '../quantity';
import { dataOf, serializeUnsigned } from '../transaction/serialized-transaction';
import type { UnsignedTransaction } from '../transaction/unsigned-transaction';
import { AccountCode } from './account-code';
import { AgreedMarket } from './agreed-market';
import { agreedInclusions, type Finality, inclusionsOfHalf, readInclusions } from './agreed-inclusions';
import type { EvmNetwork, EvmPools } from './evm-network';
import {
  isKnownToAny,
  isUsedByOthers,
  readAgreedNonce,
  readAgreedTime,
  readCurrentNonce,
  readHighestNonce,
  readSpendableBalance,
} from './agreement';
import { feesIn, type FeeNetwork, feesOf, givenFees } from './attempt-fees';
import { callOf, noop, PLACEHOLDERS, signedAttempt, unsignedOf } from './attempt-form';
import { ChainPolls } from './chain-polls';
import { hasCode } from './chain-reads';
import { findMined } from './find-mined';
import { callAt } from './estimate';
import { type FeeSettings, feeSettingsOf } from './fee-settings';
import {
  areSame,
  type FeeMarket,
  type Fees,
  highestPrice,
  isBelowBaseFee,
  isFarBelow,
  marketFees,
} from './fees';
import { readFeeMarket } from './fee-market';
import { GasEstimates, NEVER } from './gas-estimates';
import { LastingGasLimit } from './lasting-gas-limit';
import { OpStackFunds } from './op-stack-funds';
import { payableFees } from './payable-fees';
import { RecentReads } from './recent-reads';
import { isRefusedByAll, sendAgreed } from './agreed-send';
import { isSignedForm } from './signed-transaction';
import { type EvmRequest, isOversized } from './transaction-request';
import { quoteFees } from './zksync-estimate';

const SHORTEST_POLL_MS = 500;
const LONGEST_POLL_MS = 8000;
const DEFAULT_BLOCK_MS = 12_000;
/** How long the acceptance of a request waits for the first block to be read. */
const HEAD_PATIENCE_MS = 1500;
/** An endpoint has stalled if its newest block is older than this, and than this many blocks take. */
const STALLED_AFTER_MS = 60_000;
const STALLED_AFTER_BLOCKS = 10;
/** The market is read again after this time, even without a new block. */
const MARKET_MS = 15_000;
/** Full nodes keep the states of 128 blocks. */
const MAX_STATE_DEPTH = 100;
const UNLIMITED = Number.MAX_SAFE_INTEGER;
/** Tags of networks with transactions that are not signed like ordinary ones. */
const TAGS_WITH_OWN_TYPES: readonly string[] = ['optimism-based', 'arbitrum-based', 'zksync-based'];
/** Only calldata with more hex digits than this can make a transaction too large. */
const LONG_DATA = 200_000;

/** {@link TransactionChain} for one EVM chain. */
export class EvmTransactionChain implements TransactionChain<UnsignedTransaction> {
  readonly requiredConfirmations: number;
  readonly inOrder: boolean;
  readonly hasPrivateEndpoint: boolean;
  readonly privateFallbackBlocks: number | null;
  private readonly finality: Finality;
  private readonly pool: RpcPool;
  /** For reads on behalf of client requests. */
  private readonly clientPool: RpcPool;
  private readonly polls: ChainPolls;
  private readonly feeSettings: FeeSettings;
  private readonly opStackFunds: OpStackFunds | undefined;
  private readonly agreedMarket: AgreedMarket;
  private readonly code: AccountCode;
  private readonly gas: GasEstimates;
  private readonly markets = new RecentReads<FeeMarket>(MARKET_MS, 1);

  constructor(
    private readonly pools: EvmPools,
    private readonly network: EvmNetwork,
  ) {
    this.pool = pools.public;
    this.clientPool = pools.public.forClients;
    this.hasPrivateEndpoint = pools.private !== undefined;
    this.privateFallbackBlocks = network.privateFallbackBlocks;
    const blockMs = network.averageBlocktimeMs ?? DEFAULT_BLOCK_MS;
    const pollMs = Math.min(Math.max(blockMs / 2, SHORTEST_POLL_MS), LONGEST_POLL_MS);
    this.requiredConfirmations = network.requiredConfirmations;
    const stalledAfterMs = Math.max(STALLED_AFTER_MS, STALLED_AFTER_BLOCKS * blockMs);
    this.finality = { depth: network.requiredConfirmations, stalledAfterMs };
    this.inOrder = network.tags.includes('no-mempool') || network.tags.includes('arbitrum-based');
    this.polls = new ChainPolls(this.pool, pollMs, blockMs, stalledAfterMs);
    const lasting = new LastingGasLimit(this.pool, blockMs, network.requiredConfirmations);
    this.gas = new GasEstimates(this.pool, network, () => this.polls.head?.gasLimit, lasting);
    this.code = new AccountCode((address) => hasCode(this.pool, address));
    this.feeSettings = feeSettingsOf(network.chainId, network.fees);
    this.agreedMarket = new AgreedMarket(this.pool, (pool) => this.readMarket(pool));
    if (network.tags.includes('optimism-based')) this.opStackFunds = new OpStackFunds(this.pool);
  }

  read(address: string): Promise<ChainView> {
    return this.polls.read(address);
  }

  next(address: string): Promise<ChainView> {
    return this.polls.next(address);
  }

  agreedNonce(address: string): Promise<number> {
    return readAgreedNonce(this.pool, address);
  }

  agreedCurrentNonce(address: string): Promise<number> {
    return readCurrentNonce(this.pool, address, this.finality.stalledAfterMs);
  }

  spendableBalance(address: string): Promise<bigint> {
    return readSpendableBalance(this.pool, address, this.finality.stalledAfterMs);
  }

  highestNonce(address: string): Promise<number | undefined> {
    return readHighestNonce(this.pool, address, this.finality.stalledAfterMs);
  }

  /** Nodes keep one pending transaction of an account with code, because that code may spend what later ones need. */
  async maxInFlight(address: string): Promise<number> {
    return (await this.code.has(address)) ? 1 : UNLIMITED;
  }

  async complete(
    sender: string,
    stored: Readonly<Record<string, unknown>>,
    needsGas = false,
  ): Promise<Readonly<Record<string, unknown>>> {
    const request = stored as unknown as EvmRequest;
    if (this.isOversized(request)) throw invalidRequest('the transaction must not exceed 131072 bytes');
    await this.awaitHead(sender);
    const given = request.gas_limit === null ? undefined : BigInt(request.gas_limit);
    // Why it fits into no block; undefined if it does, or no node can tell.
    const excess =
      given === undefined ? undefined : await unlessUnreadable(() => this.gas.excess(this.clientPool, given));
    if (excess !== undefined) throw invalidRequest(excess);
    if (given !== undefined && request.simulate !== true) return stored;
    const estimate = await this.gas.estimateInTime(this.clientPool, sender, request);
    if (estimate === undefined) {
      if (needsGas && given === undefined) throw new RpcUnavailableError('connection');
      return stored;
    }
    if ('refused' in estimate) {
      const reason = NEVER[estimate.refused];
      if (reason !== undefined) throw invalidRequest(reason);
      return stored;
    }
    if ('reverted' in estimate) throw invalidRequest(`Transaction would revert: ${estimate.reverted.reason}`);
    if (given === undefined) return { ...stored, gas_limit: estimate.gas.toString(), simulate: null };
    const tooLow = await this.gas.tooLow(this.clientPool, sender, request, given, estimate.gas);
    if (tooLow !== undefined) throw invalidRequest(tooLow);
    return { ...stored, simulate: null };
  }

  subjectOf(stored: Readonly<Record<string, unknown>>, nonce = 0): UnsignedTransaction {
    const request = stored as unknown as EvmRequest;
    const fees = givenFees(request) ?? { kind: 'dynamic', maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
    return unsignedOf(this.network.chainId, { request, nonce, gas: BigInt(request.gas_limit ?? 0), fees });
  }

  async priceAt(stored: Readonly<Record<string, unknown>>): Promise<bigint> {
    const request = stored as unknown as EvmRequest;
    const given = givenFees(request);
    if (given) return highestPrice(given);
    const { legacy, minimumTip } = this.feeSettings;
    const rules = { legacy, minimumTip, cap: undefined };
    return highestPrice(marketFees(await this.currentMarket(), request.speed ?? 'fast', rules));
  }

  async rollupFeesOf(sender: string, stored: Readonly<Record<string, unknown>>): Promise<RollupFees> {
    const fees = this.opStackFunds?.feesOf(sender, this.subjectOf(stored), this.clientPool);
    return fees ?? { data: 0n, operator: 0n };
  }

  async draft(order: AttemptOrder): Promise<Drafted<UnsignedTransaction>> {
    const gas = await this.gas.of(order);
    if (typeof gas !== 'bigint') return gas;
    const market = await this.currentMarket();
    const replaces = order.replaces.filter(({ wasAcknowledged }) => wasAcknowledged || !order.isAfresh);
    const request = order.kind === 'noop' ? noop(order.sender) : (order.request as unknown as EvmRequest);
    const subjectWith = (fees: Fees): UnsignedTransaction =>
      unsignedOf(this.network.chainId, { request, nonce: order.nonce, gas, fees });
    const newest = replaces.at(-1);
    // They depend on the length of the fees only.
    const rollupFees =
      newest && (await this.opStackFunds?.knownFees(order.sender, subjectWith(feesIn(newest))));
    const given = { ...order, replaces };
    const fees = await payableFees(this.pool, given, gas, market, this.feeNetwork, rollupFees);
    if ('waits' in fees) return fees;
    const subject = subjectWith(fees);
    // Only for the first attempt of a content: others follow one that was affordable.
    const isFirst = order.replaces.length === 0 || (order.kind === 'request' && !order.wasSigned);
    const shortfall = isFirst ? await this.opStackFunds?.shortfall(order.sender, subject) : undefined;
    if (shortfall !== undefined) return { waits: shortfall, forFunds: true };
    return {
      draft: {
        digest: keccak256(serializeUnsigned(subject)),
        subject,
        offersNoMore: order.replaces.some(
          (old) => BigInt(old.gas_limit) === gas && areSame(feesIn(old), fees),
        ),
        sign: (signature) => signedAttempt(order.kind, subject, signature),
      },
    };
  }

  async isOutpriced(content: AttemptContent): Promise<boolean> {
    return isBelowBaseFee(feesIn(content), await this.currentMarket());
  }

  async isOverpriced(order: AttemptOrder, content: AttemptContent): Promise<boolean> {
    const market = await this.currentMarket();
    const fees = feesOf({ ...order, replaces: [] }, BigInt(content.gas_limit), market, this.feeNetwork);
    return typeof fees !== 'string' && isFarBelow(fees, feesIn(content));
  }

  fit({ gas_limit }: AttemptContent): Promise<Fit> {
    return this.gas.fit(BigInt(gas_limit), this.polls.head?.number ?? 0);
  }

  isShortOfGas(
    sender: string,
    { gas_limit }: AttemptContent,
    request?: Readonly<Record<string, unknown>>,
  ): Promise<boolean> {
    const gas = BigInt(gas_limit);
    return request
      ? this.gas.isShortFor(sender, request as unknown as EvmRequest, gas)
      : this.gas.isShort(sender, gas);
  }

  async isRefusedByAll(attempt: OutgoingAttempt, isPrivate: boolean): Promise<boolean> {
    const pool = isPrivate ? this.pools.private : this.pools.public;
    return pool !== undefined && (await isRefusedByAll(pool, attempt));
  }

  async send(attempts: readonly OutgoingAttempt[], isPrivate: boolean): Promise<SendCause[]> {
    const pool = isPrivate ? this.pools.private : this.pools.public;
    return pool ? sendAgreed(pool, attempts) : attempts.map(() => 'no_private_endpoint');
  }

  dataOf(raw: string): string {
    return dataOf(raw);
  }

  isSignedForm(raw: string, sender: string, subject: UnsignedTransaction): boolean {
    return isSignedForm(raw, sender, subject);
  }

  isKnown(hash: string): Promise<boolean> {
    return isKnownToAny(this.pool, hash);
  }

  inclusions(hashes: readonly string[]): Promise<Map<string, Inclusion>> {
    return readInclusions(this.pool, hashes);
  }

  inclusionsOfHalf(hashes: readonly string[]): Promise<Inclusion[]> {
    return inclusionsOfHalf(this.pool, hashes, this.finality);
  }

  agreedFinal(
    address: string,
    candidates: readonly FinalCandidate[],
  ): Promise<ReadonlyMap<string, Inclusion>> {
    return agreedInclusions(this.pool, address, candidates, this.finality);
  }

  async findMined(address: string, nonce: number): Promise<MinedTransaction | null> {
    const head = this.polls.head?.number ?? (await this.polls.read(address)).head;
    try {
      const { chainId, tags } = this.network;
      const hasOwnTypes = tags.some((tag) => TAGS_WITH_OWN_TYPES.includes(tag));
      return await findMined(this.pool, { address, nonce, chainId, hasOwnTypes }, head);
    } catch (error) {
      // A node that has no state of earlier blocks cannot find it, nor can any if its block is too large to be read.
      const isTooLarge = error instanceof RpcUnavailableError && error.failure === 'too_large';
      if (error instanceof NodeRefusedError || isTooLarge) return null;
      throw error;
    }
  }

  async timeOf(block: number): Promise<number> {
    try {
      return await readAgreedTime(this.pool, block);
    } catch (error) {
      throw error instanceof NodeRefusedError ? new RpcUnavailableError('connection') : error;
    }
  }

  async isUsedElsewhere(address: string, nonce: number, hashes: readonly string[]): Promise<boolean> {
    const head = this.polls.head?.number ?? (await this.polls.read(address)).head;
    const block = head - Math.min(this.requiredConfirmations, MAX_STATE_DEPTH);
    if (block < 0) return false;
    return orOn(NodeRefusedError, false, () => isUsedByOthers(this.pool, { address, nonce, hashes }, block));
  }

  async revertOf(
    sender: string,
    stored: Readonly<Record<string, unknown>>,
    inclusion: Inclusion,
  ): Promise<Revert | null> {
    const request = stored as unknown as EvmRequest;
    if (typeof request.value !== 'string') return null;
    const tag = toHex(inclusion.block_number);
    const result = await unlessUnreadable(() => callAt(this.pool, callOf(sender, request), tag));
    return result && 'reverted' in result ? result.reverted : null;
  }

  private isOversized(request: EvmRequest): boolean {
    const { data, access_list, authorization_list } = request;
    // Without lists, only calldata can be long.
    if ((data?.length ?? 0) < LONG_DATA && !access_list && !authorization_list) return false;
    return isOversized(
      serializeUnsigned(unsignedOf(this.network.chainId, { request, nonce: UNLIMITED, ...PLACEHOLDERS }))
        .length,
    );
  }

  /**
   * Waits for the gas limit of a block, which is known from the first poll on. A node that does not respond does not
   * delay requests for long.
   */
  private async awaitHead(sender: string): Promise<void> {
    if (this.polls.head) return;
    const late = sleep(HEAD_PATIENCE_MS, undefined, { ref: false });
    await Promise.race([this.polls.read(sender), late]).catch(() => undefined);
  }

  /** Read once per block for all accounts. */
  private currentMarket(): Promise<FeeMarket> {
    return this.markets.get(String(this.polls.head?.number ?? 0), () => this.agreedMarket.read());
  }

  private async readMarket(pool: RpcPool): Promise<FeeMarket> {
    const isQuoted = this.network.tags.includes('zksync-based') && !this.feeSettings.legacy;
    const [market, quote] = await Promise.all([
      readFeeMarket(pool, this.feeSettings),
      isQuoted ? quoteFees(pool) : undefined,
    ]);
    return quote ? { ...market, quote } : market;
  }

  private get feeNetwork(): FeeNetwork {
    return { ...this.feeSettings, features: this.network.features };
  }
}
