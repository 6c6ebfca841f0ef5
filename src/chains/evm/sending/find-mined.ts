import { MalformedResponseError } from '../../rpc/json-rpc';
import type { RpcPool } from '../../rpc/rpc-pool';
import { evmCall } from '../evm-call';
import { readQuantity } from '../quantity';
import { accepted, NodeRefusedError, readResult, resultOf } from '../node-read';
import { readNonces, toHex } from './chain-reads';
import { parseHash, parseList, parseObject, parseSafeInteger } from './response-values';

export interface MinedTransaction extends SignedBy {
  /** In lower case. */
  hash: string;
  blockNumber: number;
}

/** A signature as 64 hex digits each; null where the node does not tell it. */
interface SignedBy {
  r: string | null;
  s: string | null;
}

/** Beyond what fits into the response. */
const MAX_TRANSACTIONS = 100_000;
/** Transactions that are read at once. */
const BATCH = 100;
const MEMBERS = ['hash', 'from', 'nonce', 'r', 's'];

/**
 * Finds the transaction of an account with a nonce in the blocks from one to another, both included, by bisecting the
 * account's nonce and reading one block. Null where none is found: it is in no block, or in an earlier one, or the nodes no
 * longer have the state after these blocks, or the account used the nonce for an authorization (EIP-7702).
 *
 * @throws RpcUnavailableError, NodeRefusedError
 */
export async function findMined(
  pool: RpcPool,
  address: string,
  nonce: number,
  fromBlock: number,
  head: number,
): Promise<MinedTransaction | null> {
  const isUsedAfter = (block: number): Promise<boolean> => isUsed(pool, address, nonce, block);
  if (fromBlock > head || !(await isUsedAfter(head))) return null;
  if (fromBlock > 0 && (await isUsedAfter(fromBlock - 1))) return null;
  let [before, after] = [fromBlock - 1, head];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (await isUsedAfter(middle)) after = middle;
    else before = middle;
  }
  return findInBlock(pool, address, nonce, after);
}

/**
 * Whether the nonce was used up to a block. A state that no node has any more counts as unused: the block that is found
 * then may be the wrong one, in which the transaction is not found.
 */
async function isUsed(pool: RpcPool, address: string, nonce: number, block: number): Promise<boolean> {
  try {
    const nonces = await readNonces(pool, [address], block);
    return (nonces.get(address) ?? 0) > nonce;
  } catch (error) {
    if (error instanceof NodeRefusedError) return false;
    throw error;
  }
}

async function findInBlock(
  pool: RpcPool,
  address: string,
  nonce: number,
  blockNumber: number,
): Promise<MinedTransaction | null> {
  const hashes = await readTransactionHashes(pool, blockNumber);
  for (let start = 0; start < hashes.length; start += BATCH) {
    const batch = hashes.slice(start, start + BATCH);
    const calls = batch.map((hash) => evmCall('eth_getTransactionByHash', [hash], MEMBERS));
    const matches = await pool.readAll(calls, (response, i) =>
      resultOf(response, (result) => readOf(result, batch[i] ?? '', address, nonce)),
    );
    for (const [i, hash] of batch.entries()) {
      const match = matches[i];
      const signed = match && accepted(match);
      if (signed) return { hash, blockNumber, ...signed };
    }
  }
  return null;
}

function readTransactionHashes(pool: RpcPool, blockNumber: number): Promise<string[]> {
  const call = evmCall('eth_getBlockByNumber', [toHex(blockNumber), false], ['number', 'transactions']);
  return readResult(pool, call, (result) => {
    if (result === null) return [];
    const { number, transactions } = parseObject(result);
    if (parseSafeInteger(number) !== blockNumber) throw new MalformedResponseError('is another block');
    return parseList(transactions, MAX_TRANSACTIONS).map(parseHash);
  });
}

/** The signature of a transaction, if it is the one of the account with the nonce; it may be gone by now. */
function readOf(result: unknown, hash: string, address: string, nonce: number): SignedBy | null {
  if (result === null) return null;
  const transaction = parseObject(result);
  if (parseHash(transaction.hash) !== hash) throw new MalformedResponseError('is another transaction');
  if (typeof transaction.from !== 'string') throw new MalformedResponseError('has no sender');
  const isMatch =
    transaction.from.toLowerCase() === address.toLowerCase() && parseSafeInteger(transaction.nonce) === nonce;
  return isMatch ? { r: digitsOf(transaction.r), s: digitsOf(transaction.s) } : null;
}

const digitsOf = (value: unknown): string | null =>
  readQuantity(value)?.toString(16).padStart(64, '0') ?? null;
