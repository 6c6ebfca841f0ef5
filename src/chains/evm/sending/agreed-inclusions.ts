import type { RpcPool } from '../../rpc/rpc-pool';
import type { FinalCandidate, Inclusion } from '../../transaction-chain';
import { fromEach, isStalled } from './agreement';
import { type Head, readHead, readNonces, readReceipts, type Receipt } from './chain-reads';

/** When transactions are final. */
export interface Finality {
  /** The number of blocks after the one with the transaction. */
  depth: number;
  /** See {@link isStalled}. */
  stalledAfterMs: number;
}

/** What one endpoint reports. */
interface Statement {
  head: Head;
  receipts: ReadonlyMap<string, Receipt>;
  /** The next nonce of the account; only read if a transaction has no receipt. */
  next: number | undefined;
}

/** Whether an endpoint supports that a transaction is final; null if it cannot tell. */
type Verdict = boolean | null;

/**
 * The transactions that at least half of the responding endpoints report as final, and that fewer contradict. An
 * endpoint contradicts if it has another receipt, or one of another attempt, or if the nonce is unused although it has
 * the block.
 *
 * @param address the account of all of them
 * @returns the hashes of the transactions
 * @throws as {@link fromEach}
 */
export async function agreedInclusions(
  pool: RpcPool,
  address: string,
  candidates: readonly FinalCandidate[],
  finality: Finality,
): Promise<Set<string>> {
  const included = candidates.map(({ inclusion }) => inclusion.hash);
  // A single endpoint has nothing to be compared with.
  if (candidates.length === 0 || pool.members.length === 1) return new Set(included);
  const statements = await fromEach(pool, (one) => statementOf(one, address, candidates));
  const isAgreed = (candidate: FinalCandidate): boolean => {
    const verdicts = statements.map((statement) => verdictOf(statement, candidate, finality));
    const supporting = verdicts.filter((verdict) => verdict === true).length;
    const contradicting = verdicts.filter((verdict) => verdict === false).length;
    return 2 * supporting >= statements.length && supporting > contradicting;
  };
  return new Set(candidates.filter(isAgreed).map(({ inclusion }) => inclusion.hash));
}

async function statementOf(
  one: RpcPool,
  address: string,
  candidates: readonly FinalCandidate[],
): Promise<Statement> {
  const hashes = candidates.flatMap((candidate) => candidate.hashes);
  const [head, receipts] = await Promise.all([readHead(one), readReceipts(one, hashes)]);
  const hasAll = candidates.every(({ inclusion }) => receipts.has(inclusion.hash));
  // Read after the block, so that it is not older.
  const next = hasAll ? undefined : (await readNonces(one, [address])).get(address);
  return { head, receipts, next };
}

function verdictOf(
  { head, receipts, next = 0 }: Statement,
  { inclusion, nonce, hashes }: FinalCandidate,
  { depth, stalledAfterMs }: Finality,
): Verdict {
  const receipt = receipts.get(inclusion.hash);
  const others = hashes.filter((hash) => hash !== inclusion.hash && receipts.has(hash));
  if (others.length > 0 || (receipt && !isSame(receipt, inclusion))) return false;
  if (receipt) return head.number >= receipt.blockNumber + depth ? true : null;
  // Some nodes index receipts long after the state.
  if (next > nonce) return null;
  // One that does not follow the chain knows nothing of the transaction; any other soon has the block.
  return head.number < inclusion.block_number && isStalled(head, stalledAfterMs) ? null : false;
}

/** The number of the block counts too, because the depth is counted from it. */
const isSame = (receipt: Receipt, { block_number, block_hash, succeeded }: Inclusion): boolean =>
  receipt.blockNumber === block_number && receipt.blockHash === block_hash && receipt.succeeded === succeeded;
