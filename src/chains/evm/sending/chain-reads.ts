import { UINT128_MAX, UINT64_MAX } from '../../../common/validation/big-integer';
import { type JsonRpcResponse, MalformedResponseError } from '../../rpc/json-rpc';
import { RpcUnavailableError } from '../../rpc/endpoint-error';
import type { RpcPool } from '../../rpc/rpc-pool';
import { evmCall } from '../evm-call';
import { ownerOf } from '../node-errors';
import { accepted, readResult, resultOf } from '../node-read';
import { parseQuantity, toHex } from '../quantity';
import { oversizedCall, parseOversized, parseReceipt, type Receipt, receiptCall } from './receipt';
import { isMissing, parseBytes, parseHash, parseObject, parseSafeInteger } from './response-values';

/** The newest block of a chain. */
export interface Head {
  number: number;
  /** In lower case, like `parentHash`. */
  hash: string;
  parentHash: string;
  /** Seconds since 1970. */
  timestamp: number;
  /** The base fee of this block in wei; null if the chain has none. */
  baseFee: bigint | null;
  gasLimit: bigint;
}

/** Far more transactions than an account can send, and low enough for the nonces after it to be exact numbers. */
const MAX_NONCE = 2 ** 48;

const HEAD_MEMBERS = ['number', 'hash', 'parentHash', 'timestamp', 'baseFeePerGas', 'gasLimit'];

/** @throws RpcUnavailableError, NodeRefusedError */
export function readHead(pool: RpcPool): Promise<Head> {
  return readResult(pool, evmCall('eth_getBlockByNumber', ['latest', false], HEAD_MEMBERS), parseHead);
}

/** The time of a block in seconds since 1970; null if no node has it. @throws RpcUnavailableError, NodeRefusedError */
export function readTimestamp(pool: RpcPool, number: number): Promise<number | null> {
  const call = evmCall('eth_getBlockByNumber', [toHex(number), false], ['number', 'timestamp']);
  return readKnown(pool, call, (result) => {
    const block = parseObject(result);
    if (parseSafeInteger(block.number) !== number) throw new MalformedResponseError('is another block');
    return parseSafeInteger(block.timestamp);
  });
}

/** The gas limit of a block; null if no node has the block. @throws RpcUnavailableError, NodeRefusedError */
export function readGasLimit(pool: RpcPool, block: number | 'latest'): Promise<bigint | null> {
  const tag = block === 'latest' ? block : toHex(block);
  const call = evmCall('eth_getBlockByNumber', [tag, false], ['number', 'gasLimit']);
  return readKnown(pool, call, (result) => {
    const { number, gasLimit } = parseObject(result);
    if (block !== 'latest' && parseSafeInteger(number) !== block)
      throw new MalformedResponseError('is another block');
    return parseQuantity(gasLimit, UINT64_MAX);
  });
}

/**
 * The receipts of transactions, by their hashes as they were passed in. Transactions without a receipt are omitted, and
 * so are those that no node can look up, unless `mustKnow` is set. Contracts determine the size of receipts: if they are
 * too large together, they are read in halves, and one that is too large by itself is replaced by what
 * {@link parseOversized} finds.
 *
 * @param mustKnow whether it is an error if no node can look up a transaction
 * @throws RpcUnavailableError, NodeRefusedError
 */
export async function readReceipts(
  pool: RpcPool,
  hashes: readonly string[],
  mustKnow = false,
): Promise<Map<string, Receipt>> {
  const asked = [...new Set(hashes)];
  try {
    return await readTogether(pool, asked, mustKnow);
  } catch (error) {
    const failure = error instanceof RpcUnavailableError ? error.failure : undefined;
    if (failure !== 'too_large' && failure !== 'overloaded') throw error;
    const [only = '', ...others] = asked;
    if (others.length > 0) return readInHalves(pool, asked, mustKnow);
    if (failure === 'overloaded') throw error;
    const receipt = await readKnown(pool, oversizedCall(only), (result) => parseOversized(result, only));
    return new Map(receipt ? [[only, receipt]] : []);
  }
}

async function readTogether(
  pool: RpcPool,
  hashes: readonly string[],
  mustKnow: boolean,
): Promise<Map<string, Receipt>> {
  const receipts = await pool.readAll(hashes.map(receiptCall), (response, i) =>
    (mustKnow ? resultOf : knownOf)(response, (result) => parseReceipt(result, hashes[i] ?? '')),
  );
  const found = new Map<string, Receipt>();
  for (const [i, result] of receipts.entries()) {
    const receipt = accepted(result);
    if (receipt) found.set(hashes[i] ?? '', receipt);
  }
  return found;
}

async function readInHalves(
  pool: RpcPool,
  hashes: readonly string[],
  mustKnow: boolean,
): Promise<Map<string, Receipt>> {
  const middle = Math.ceil(hashes.length / 2);
  const first = await readReceipts(pool, hashes.slice(0, middle), mustKnow);
  return new Map([...first, ...(await readReceipts(pool, hashes.slice(middle), mustKnow))]);
}

/**
 * The next nonces of accounts, by their addresses as they were passed in.
 *
 * @param block the number of the block after which the nonces are read; by default the newest
 * @throws RpcUnavailableError, NodeRefusedError
 */
export async function readNonces(
  pool: RpcPool,
  addresses: readonly string[],
  block?: number,
): Promise<Map<string, number>> {
  const asked = [...new Set(addresses)];
  const tag = block === undefined ? 'latest' : toHex(block);
  const nonces = await pool.readAll(
    asked.map((address) => evmCall('eth_getTransactionCount', [address, tag])),
    (response) => resultOf(response, parseNonce),
  );
  return new Map(nonces.map((nonce, i) => [asked[i] ?? '', accepted(nonce)]));
}

function parseNonce(result: unknown): number {
  const nonce = parseSafeInteger(result);
  if (nonce > MAX_NONCE) throw new MalformedResponseError('is a nonce that no account has reached');
  return nonce;
}

/** Whether a node has a transaction, in its pool or in a block. @throws RpcUnavailableError, NodeRefusedError */
export async function isKnown(pool: RpcPool, hash: string): Promise<boolean> {
  const call = evmCall('eth_getTransactionByHash', [hash], ['hash']);
  const known = await readKnown(pool, call, (result) => {
    if (parseHash(parseObject(result).hash) !== hash.toLowerCase())
      throw new MalformedResponseError('is another transaction');
    return true;
  });
  return known ?? false;
}

/**
 * Whether an account has code, of its own or by delegation (EIP-7702). @throws RpcUnavailableError, NodeRefusedError
 */
export function hasCode(pool: RpcPool, address: string): Promise<boolean> {
  const call = evmCall('eth_getCode', [address, 'latest']);
  return readResult(pool, call, (result) => parseBytes(result) !== '0x');
}

/** Like {@link readResult}; null if the result is null or no node can look it up. */
async function readKnown<T>(
  pool: RpcPool,
  call: ReturnType<typeof evmCall>,
  parse: (result: unknown) => T | null,
): Promise<T | null> {
  return accepted(
    await pool.read(call, (response) =>
      knownOf(response, (result) => (result === null ? null : parse(result))),
    ),
  );
}

function knownOf<T>(
  response: JsonRpcResponse,
  parse: (result: unknown) => T | null,
): ReturnType<typeof resultOf<T | null>> {
  if ('error' in response && ownerOf(response.error) === 'elsewhere') return { value: null };
  return resultOf(response, parse);
}

function parseHead(result: unknown): Head {
  const { number, hash, parentHash, timestamp, baseFeePerGas, gasLimit } = parseObject(result);
  return {
    number: parseSafeInteger(number),
    hash: parseHash(hash),
    parentHash: parseHash(parentHash),
    timestamp: parseSafeInteger(timestamp),
    baseFee: isMissing(baseFeePerGas) ? null : parseQuantity(baseFeePerGas, UINT128_MAX),
    gasLimit: parseQuantity(gasLimit, UINT64_MAX),
  };
}
