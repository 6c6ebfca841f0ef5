import { isError, type Provider, Signature, type TransactionReceipt, TransactionResponse } from 'ethers';
import { WaitTimeoutError } from './errors.ts';
import { type Relayer, WAIT_MS } from './relayer.ts';
import { MAX_TIMER_MS } from './retries.ts';
import type { Transaction } from './resources.ts';

/**
 * A transaction that the service sends. Its members are those of the attempt that was current when the object was
 * created.
 */
export class RelayerTransactionResponse extends TransactionResponse {
  readonly #relayer: Relayer;
  /** The transaction's id in the service. */
  readonly id: string;

  constructor(
    relayer: Relayer,
    sent: Transaction,
    { chainId, type }: { chainId: bigint; type?: number | null | undefined },
    provider: Provider,
  ) {
    super(paramsOf(sent, chainId, type ?? (sent.gas_price === null ? 2 : 0)), provider);
    this.#relayer = relayer;
    this.id = sent.id;
  }

  /**
   * Waits for the confirmations that the network requires, and for `confirms` if that is more. It follows attempts with
   * higher fees, so the receipt may have a different hash. With 0 it returns the current receipt, if any.
   *
   * @param timeout for all of it, in milliseconds; default 600 000, as for 0. The last response of the service may take
   * up to 10 s more
   * @throws TransactionEndedError if it failed or was canceled; WaitTimeoutError if it is not confirmed in time, or the
   * provider does not return its receipt in time; as `waitFor` of the relayer
   */
  override async wait(confirms = 1, timeout?: number): Promise<TransactionReceipt | null> {
    if (confirms === 0) return this.provider.getTransactionReceipt(this.hash);
    const timeoutMs = timeout !== undefined && timeout > 0 ? timeout : WAIT_MS;
    const end = performance.now() + timeoutMs;
    const confirmed = await this.#relayer.waitFor(this.id, { timeoutMs });
    const restMs = Math.min(Math.max(1, Math.ceil(end - performance.now())), MAX_TIMER_MS);
    try {
      return await this.provider.waitForTransaction(confirmed.hash ?? this.hash, confirms, restMs);
    } catch (error) {
      if (!isError(error, 'TIMEOUT')) throw error;
      throw new WaitTimeoutError(confirmed, `known to the provider (confirmations: ${confirms})`);
    }
  }
}

function paramsOf(
  sent: Transaction,
  chainId: bigint,
  type: number,
): ConstructorParameters<typeof TransactionResponse>[0] {
  const { hash, signature, nonce } = sent;
  if (hash === null || signature === null || nonce === null)
    throw new TypeError(`Transaction ${sent.id} is not signed yet`);
  const { r, s, v } = signature;
  return {
    ...{ blockNumber: null, blockHash: null, index: 0, accessList: null, authorizationList: null },
    ...{ hash, type, chainId, nonce, to: sent.to, from: sent.from, data: sent.data ?? '0x' },
    value: BigInt(sent.value),
    gasLimit: BigInt(sent.gas_limit ?? 0),
    gasPrice: BigInt(sent.gas_price ?? sent.max_fee_per_gas ?? 0),
    maxFeePerGas: bigintOf(sent.max_fee_per_gas),
    maxPriorityFeePerGas: bigintOf(sent.max_priority_fee_per_gas),
    signature: Signature.from({ r: `0x${r}`, s: `0x${s}`, v: v < 27 ? v + 27 : v }),
  };
}

const bigintOf = (text: string | null): bigint | null => (text === null ? null : BigInt(text));
