import { orOn } from '../../../common/errors/or-on';
import { RpcUnavailableError } from '../../rpc/endpoint-error';
import { MalformedResponseError } from '../../rpc/json-rpc';
import type { RpcPool } from '../../rpc/rpc-pool';
import type { MinedTransaction } from '../../transaction-chain';
import { searchCall } from '../evm-call';
import { readQuantity, toHex } from '../quantity';
import { accepted, NodeRefusedError, readResult, resultOf } from '../node-read';
import { fromEach } from './agreement';
import { readNonces } from './chain-reads';
import { parseHash, parseList, parseObject, parseSafeInteger } from './response-values';
import { AuthorizationBudget, isAuthorizedBy } from './signed-transaction';
import { isCheckable, SIGNED_MEMBERS, signedBy } from './stated-transaction';

/** The account whose transaction is searched for, and its chain. */
export interface SearchTarget {
  address: string;
  nonce: number;
  chainId: string;
  /**
   * Whether the chain has transactions that are not signed like ordinary ones: deposits, retryable tickets, EIP-712.
   */
  hasOwnTypes: boolean;
}

/** A search that ends at a time. */
interface Search extends SearchTarget {
  /** @throws RpcUnavailableError once the time is over */
  assertTime: () => void;
}

/** A block may have as many transactions as fit into a response, and a node may take its time for each read. */
const MAX_SEARCH_MS = 120_000;
/** More than fit into a response, and as many as are parsed. */
const MAX_TRANSACTIONS = 100_000;
/** The number of transactions that are read at once. */
const BATCH = 100;
const MEMBERS = ['hash', 'from', 'nonce', 'authorizationList'];
const ALL_MEMBERS = ['hash', 'from', 'blockNumber', ...SIGNED_MEMBERS];

/**
 * Finds the transaction that used a nonce of an account up to a block: one of the account, or one with an authorization
 * of the account (EIP-7702). It bisects the account's nonce, reads one block, checks the signature, and compares the
 * endpoints. Null if no transaction is found or proven: it may be in no block, the nodes may no longer have the state of
 * these blocks, or code of the account may have used the nonce to create a contract.
 *
 * @param now in milliseconds
 * @throws RpcUnavailableError, also if it takes longer than two minutes
 * @throws NodeRefusedError
 */
export async function findMined(
  pool: RpcPool,
  target: SearchTarget,
  head: number,
  now: () => number = () => performance.now(),
): Promise<MinedTransaction | null> {
  const until = now() + MAX_SEARCH_MS;
  const assertTime = (): void => {
    if (now() > until) throw new RpcUnavailableError('timeout');
  };
  const search = { ...target, assertTime };
  const isUsedAfter = (block: number): Promise<boolean> => isUsed(pool, search, block);
  if (!(await isUsedAfter(head))) return null;
  let [before, after] = [-1, head];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (await isUsedAfter(middle)) after = middle;
    else before = middle;
  }
  const { own, authorized } = await searchBlock(pool, search, after);
  if (own === null) return authorized === null ? null : findAuthorized(pool, search, after);
  const proof = await proveMined(pool, target, own, after);
  return proof && { hash: own, block_number: after, ...proof };
}

/**
 * Whether the nonce had been used after this block. If no node has that state any more, the nonce counts as unused: the
 * search may then end at the wrong block, which does not contain the transaction.
 */
async function isUsed(pool: RpcPool, search: Search, block: number): Promise<boolean> {
  const { address, nonce } = search;
  search.assertTime();
  const nonces = await orOn(NodeRefusedError, undefined, () => readNonces(pool, [address], block));
  return (nonces?.get(address) ?? 0) > nonce;
}

/** The hashes of the transactions in a block that can have used the nonce; null if there is none. */
interface Candidates {
  /** Of the account, with this nonce. */
  own: string | null;
  /**
   * With an authorization of the account for this nonce. Also null if the node does not know each of the transactions.
   */
  authorized: string | null;
}

/** As reported by one node. */
async function searchBlock(pool: RpcPool, search: Search, blockNumber: number): Promise<Candidates> {
  const hashes = await readTransactionHashes(pool, blockNumber);
  const budget = new AuthorizationBudget();
  let authorized: string | null = null;
  let unknown = 0;
  for (let start = 0; start < hashes.length; start += BATCH) {
    search.assertTime();
    const batch = hashes.slice(start, start + BATCH);
    const calls = batch.map((hash) => searchCall('eth_getTransactionByHash', [hash], MEMBERS));
    const results = await pool.readAll(calls, (response, i) =>
      resultOf(response, (result) => {
        if (result === null) unknown += 1;
        return readRole(result, batch[i] ?? '', search, budget);
      }),
    );
    const roles = results.map(accepted);
    const own = batch[roles.indexOf('own')];
    if (own !== undefined) return { own, authorized };
    authorized ??= batch[roles.indexOf('authorized')] ?? null;
  }
  // A transaction that the node has not indexed yet may be the account's own.
  return { own: null, authorized: unknown === 0 ? authorized : null };
}

/**
 * Finds the transaction whose authorization used the nonce. The chain skips an authorization whose nonce is not the next
 * one, so its presence in a block proves nothing. More than half of the responding endpoints must report the same
 * transaction, that the nonce was used in this block, and that no transaction of the account used it there.
 */
async function findAuthorized(
  pool: RpcPool,
  search: Search,
  blockNumber: number,
): Promise<MinedTransaction | null> {
  const statements = await fromEach(pool, (one) => authorizedAccordingTo(one, search, blockNumber));
  const isAgreed = (hash: string | null): hash is string =>
    hash !== null && 2 * statements.filter((one) => one === hash).length > statements.length;
  const hash = statements.find(isAgreed);
  return hash === undefined ? null : { hash, block_number: blockNumber, signed: null };
}

async function authorizedAccordingTo(
  one: RpcPool,
  search: Search,
  blockNumber: number,
): Promise<string | null> {
  const { address, nonce } = search;
  // An endpoint without the state of these blocks confirms nothing.
  return orOn(NodeRefusedError, null, async () => {
    const [before, after] = await Promise.all([
      blockNumber === 0 ? new Map<string, number>() : readNonces(one, [address], blockNumber - 1),
      readNonces(one, [address], blockNumber),
    ]);
    if ((before.get(address) ?? 0) > nonce || (after.get(address) ?? 0) <= nonce) return null;
    const { own, authorized } = await searchBlock(one, search, blockNumber);
    return own === null ? authorized : null;
  });
}

function readTransactionHashes(pool: RpcPool, blockNumber: number): Promise<string[]> {
  const call = searchCall('eth_getBlockByNumber', [toHex(blockNumber), false], ['number', 'transactions']);
  return readResult(pool, call, (result) => {
    if (result === null) return [];
    const { number, transactions } = parseObject(result);
    if (parseSafeInteger(number) !== blockNumber) throw new MalformedResponseError('is another block');
    return parseList(transactions, MAX_TRANSACTIONS).map(parseHash);
  });
}

/**
 * Proves that a mined transaction exists. A node may lie, and a request that is assigned another nonce because of a lie
 * would be executed twice. So the account must have signed the transaction, and at least half of the responding
 * endpoints must report it. If the signature cannot be checked, more than half must report it, and at least two unless
 * the chain is known to have such types (docs/adr/0034).
 *
 * @returns null if it is not proven
 */
async function proveMined(
  pool: RpcPool,
  target: SearchTarget,
  hash: string,
  blockNumber: number,
): Promise<Pick<MinedTransaction, 'signed'> | null> {
  const call = searchCall('eth_getTransactionByHash', [hash], ALL_MEMBERS);
  const statements = await fromEach(pool, (one) =>
    readResult(one, call, (result) => {
      const match = readMatch(result, hash, target);
      return match && readQuantity(match.blockNumber) === BigInt(blockNumber) ? match : null;
    }),
  );
  const stated = statements.filter((statement) => statement !== null);
  const checkable = stated.filter(isCheckable);
  const signed = checkable.flatMap((one) => signedBy(one, target.address, BigInt(target.chainId)) ?? []);
  const [first] = signed;
  if (first && 2 * signed.length >= statements.length) return { signed: first };
  const others = stated.length - checkable.length;
  const isBelieved = 2 * others > statements.length && (others > 1 || target.hasOwnTypes);
  return isBelieved ? { signed: null } : null;
}

/** How a transaction can have used the nonce; null if it cannot. */
function readRole(
  result: unknown,
  hash: string,
  target: SearchTarget,
  budget: AuthorizationBudget,
): 'own' | 'authorized' | null {
  if (readMatch(result, hash, target)) return 'own';
  if (result === null) return null;
  const { authorizationList } = parseObject(result);
  return isAuthorizedBy(authorizationList, target, budget) ? 'authorized' : null;
}

/** A transaction, if the account has sent it with this nonce. It may have disappeared since. */
function readMatch(
  result: unknown,
  hash: string,
  { address, nonce }: SearchTarget,
): Readonly<Record<string, unknown>> | null {
  if (result === null) return null;
  const transaction = parseObject(result);
  if (parseHash(transaction.hash) !== hash) throw new MalformedResponseError('is another transaction');
  if (typeof transaction.from !== 'string') throw new MalformedResponseError('has no sender');
  const isMatch =
    transaction.from.toLowerCase() === address.toLowerCase() && parseSafeInteger(transaction.nonce) === nonce;
  return isMatch ? transaction : null;
}
