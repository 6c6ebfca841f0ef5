import { MalformedResponseError } from '../../rpc/json-rpc';
import type { RpcPool } from '../../rpc/rpc-pool';
import { evmCall } from '../evm-call';
import { accepted, NodeRefusedError, readResult, resultOf } from '../node-read';
import { parseNonce, readNonces, toHex } from './chain-reads';
import { parseHash, parseList, parseObject, parseSafeInteger } from './response-values';

export interface MinedTransaction {
  /** In lower case. */
  hash: string;
  blockNumber: number;
}

/** Beyond what fits into the response. */
const MAX_TRANSACTIONS = 100_000;
/** Transactions that are read at once. */
const BATCH = 100;

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
  nonce: bigint,
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
async function isUsed(pool: RpcPool, address: string, nonce: bigint, block: number): Promise<boolean> {
  try {
    const nonces = await readNonces(pool, [address], block);
    return (nonces.get(address) ?? 0n) > nonce;
  } catch (error) {
    if (error instanceof NodeRefusedError) return false;
    throw error;
  }
}

async function findInBlock(
  pool: RpcPool,
  address: string,
  nonce: bigint,
  blockNumber: number,
): Promise<MinedTransaction | null> {
  const hashes = await readTransactionHashes(pool, blockNumber);
  for (let start = 0; start < hashes.length; start += BATCH) {
    const batch = hashes.slice(start, start + BATCH);
    const calls = batch.map((hash) => evmCall('eth_getTransactionByHash', [hash], ['hash', 'from', 'nonce']));
    const matches = await pool.readAll(calls, (response, i) =>
      resultOf(response, (result) => isOf(result, batch[i] ?? '', address, nonce)),
    );
    const hash = batch.find((_hash, i) => {
      const match = matches[i];
      return match !== undefined && accepted(match);
    });
    if (hash !== undefined) return { hash, blockNumber };
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

/** Whether a transaction, which may be gone by now, is the one of the account with the nonce. */
function isOf(result: unknown, hash: string, address: string, nonce: bigint): boolean {
  if (result === null) return false;
  const transaction = parseObject(result);
  if (parseHash(transaction.hash) !== hash) throw new MalformedResponseError('is another transaction');
  if (typeof transaction.from !== 'string') throw new MalformedResponseError('has no sender');
  return transaction.from.toLowerCase() === address.toLowerCase() && parseNonce(transaction.nonce) === nonce;
}
