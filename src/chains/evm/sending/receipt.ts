import { UINT128_MAX, UINT64_MAX } from '../../../common/validation/big-integer';
import type { InternalCall } from '../../rpc/internal-call';
import { MalformedResponseError } from '../../rpc/json-rpc';
import type { Inclusion } from '../../transaction-chain';
import { evmCall } from '../evm-call';
import { parseQuantity } from '../quantity';
import { isMissing, parseHash, parseObject, parseSafeInteger } from './response-values';

/** The result of a transaction in a block. */
export interface Receipt {
  /** In lower case, like `blockHash`. */
  transactionHash: string;
  blockNumber: number;
  blockHash: string;
  succeeded: boolean;
  gasUsed: bigint;
  /** In wei; null if the node omits it. */
  effectiveGasPrice: bigint | null;
  /** The fee of a rollup for its data on L1, in wei; null on other chains. */
  l1Fee: bigint | null;
  /** Whether an OP stack chain charges an operator fee as well, whose formula depends on its version. */
  hasOperatorFee: boolean;
}

const MEMBERS = [
  'transactionHash',
  'blockNumber',
  'blockHash',
  'status',
  'gasUsed',
  'effectiveGasPrice',
  'l1Fee',
  'operatorFeeScalar',
  'operatorFeeConstant',
];

export const receiptCall = (hash: string): InternalCall =>
  evmCall('eth_getTransactionReceipt', [hash], MEMBERS);

const TRANSACTION_MEMBERS = ['hash', 'blockNumber', 'blockHash', 'gas'];

/** For a transaction whose receipt is larger than any response may be. */
export const oversizedCall = (hash: string): InternalCall =>
  evmCall('eth_getTransactionByHash', [hash], TRANSACTION_MEMBERS);

/**
 * What the transaction itself says about a receipt that is too large to be read. Only log entries make a receipt so
 * large, and a transaction that reverted has none: so it succeeded. Its gas limit stands for the gas that it used.
 *
 * @throws MalformedResponseError
 */
export function parseOversized(result: unknown, asked: string): Receipt | null {
  if (result === null) return null;
  const { hash, blockNumber, blockHash, gas } = parseObject(result);
  const receipt = { transactionHash: hash, blockNumber, blockHash, status: '0x1', gasUsed: gas };
  return parseReceipt(receipt, asked);
}

/**
 * Parses the receipt of the transaction with this hash; null if there is none, or the transaction is not in a block
 * yet.
 *
 * @throws MalformedResponseError
 */
export function parseReceipt(result: unknown, hash: string): Receipt | null {
  if (result === null) return null;
  const receipt = parseObject(result);
  const { transactionHash, blockNumber, blockHash, status, gasUsed, effectiveGasPrice, l1Fee } = receipt;
  if (parseHash(transactionHash) !== hash.toLowerCase())
    throw new MalformedResponseError('is the receipt of another transaction');
  if (blockNumber === null || blockHash === null) return null;
  return {
    transactionHash: parseHash(transactionHash),
    blockNumber: parseSafeInteger(blockNumber),
    blockHash: parseHash(blockHash),
    succeeded: parseQuantity(status, 1n) === 1n,
    gasUsed: parseQuantity(gasUsed, UINT64_MAX),
    effectiveGasPrice: isMissing(effectiveGasPrice) ? null : parseQuantity(effectiveGasPrice, UINT128_MAX),
    l1Fee: isMissing(l1Fee) ? null : parseQuantity(l1Fee, UINT128_MAX),
    hasOperatorFee: [receipt.operatorFeeScalar, receipt.operatorFeeConstant].some(
      (part) => !isMissing(part) && parseQuantity(part, UINT64_MAX) > 0n,
    ),
  };
}

/** The wei paid for the execution of a transaction; null if the node does not report it. */
export const executionFeeOf = ({ gasUsed, effectiveGasPrice }: Receipt): bigint | null =>
  effectiveGasPrice === null ? null : gasUsed * effectiveGasPrice;

/** What a receipt says, in the form that is independent of the chain. */
export function inclusionOf(receipt: Receipt): Inclusion {
  const executionFee = executionFeeOf(receipt);
  // Without a fee, spending limits count the most that it may have cost.
  const isKnown = executionFee !== null && !receipt.hasOperatorFee;
  return {
    hash: receipt.transactionHash,
    block_number: receipt.blockNumber,
    block_hash: receipt.blockHash,
    succeeded: receipt.succeeded,
    gas_used: receipt.gasUsed.toString(),
    fee: isKnown ? (executionFee + (receipt.l1Fee ?? 0n)).toString() : null,
  };
}
