import type { RpcPool } from '../../rpc/rpc-pool';
import type { AttemptContent, FinalCandidate, Inclusion } from '../../transaction-chain';
import { areEnough, fromAvailable, isStalled } from './agreement';
import { feesIn } from './attempt-fees';
import { type Head, readHead, readNonces, readReceipts } from './chain-reads';
import { highestPrice } from './fees';
import { executionFeeOf, inclusionOf, type Receipt } from './receipt';

/** When transactions are final. */
export interface Finality {
  /** The number of blocks after the one with the transaction. */
  depth: number;
  /** See {@link isStalled}. */
  stalledAfterMs: number;
}

/** A receipt that an endpoint does not have this long after the transaction was mined is not expected any more. */
const LATE_MS = 600_000;

/** What one endpoint reports. */
interface Statement {
  head: Head;
  receipts: ReadonlyMap<string, Receipt>;
  /** The next nonce of the account; only read if a transaction has no receipt. */
  next: number | undefined;
}

/**
 * What an endpoint says about a transaction: it is deep enough (`final`), or in the same block, but not deep enough there
 * (`shallow`); the receipt is missing, and may follow (`late`), or the endpoint cannot tell (`unable`); or the transaction
 * is not in that block (`contradicts`).
 */
type Verdict = 'final' | 'shallow' | 'late' | 'unable' | 'contradicts';

/**
 * The transactions that at least half of the responding endpoints report as final, and that fewer contradict. An
 * endpoint contradicts if it has another receipt, or one of another attempt, or if the nonce is unused although it has
 * the block. If only one has the receipt, the transaction is not final while others may get it: they index receipts some
 * time after the block, and the receipt may be false. None is final while fewer than half of all endpoints respond;
 * everything else goes on meanwhile.
 *
 * @param address the account of all of them
 * @returns the inclusions by the hashes of the transactions, with the fees on which endpoints agree
 */
export async function agreedInclusions(
  pool: RpcPool,
  address: string,
  candidates: readonly FinalCandidate[],
  finality: Finality,
): Promise<Map<string, Inclusion>> {
  // A single endpoint has nothing to be compared with.
  if (candidates.length === 0 || pool.members.length === 1)
    return new Map(candidates.map(({ inclusion }) => [inclusion.hash, inclusion]));
  const { stated: statements } = await fromAvailable(pool, (one) => statementOf(one, address, candidates));
  if (!areEnough(statements.length, pool)) return new Map();
  const isAgreed = (candidate: FinalCandidate): boolean => {
    const verdicts = statements.map((statement) => verdictOf(statement, candidate, finality));
    const count = (wanted: Verdict): number => verdicts.filter((verdict) => verdict === wanted).length;
    const supporting = count('final');
    if (supporting + count('shallow') === 1 && count('late') > 0) return false;
    return 2 * supporting >= statements.length && supporting > count('contradicts');
  };
  const final = candidates.filter(isAgreed).map((candidate) => withAgreedFee(statements, candidate));
  return new Map(final.map((inclusion) => [inclusion.hash, inclusion]));
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
  { inclusion, nonce, hashes, since }: FinalCandidate,
  { depth, stalledAfterMs }: Finality,
): Verdict {
  const receipt = receipts.get(inclusion.hash);
  const others = hashes.filter((hash) => hash !== inclusion.hash && receipts.has(hash));
  if (others.length > 0 || (receipt && !isSame(receipt, inclusion))) return 'contradicts';
  if (receipt) return head.number >= receipt.blockNumber + depth ? 'final' : 'shallow';
  // Some nodes index receipts long after the state, or not at all.
  if (next > nonce) return Date.now() - since.getTime() < LATE_MS ? 'late' : 'unable';
  // One that does not follow the chain knows nothing of the transaction; any other soon has the block.
  return head.number < inclusion.block_number && isStalled(head, stalledAfterMs) ? 'unable' : 'contradicts';
}

/** The number of the block counts too, because the depth is counted from it. */
const isSame = (receipt: Receipt, { block_number, block_hash, succeeded }: Inclusion): boolean =>
  receipt.blockNumber === block_number && receipt.blockHash === block_hash && receipt.succeeded === succeeded;

/** The inclusion with the fee that more than half of the endpoints report that report one; otherwise with none. */
function withAgreedFee(statements: readonly Statement[], { inclusion, attempt }: FinalCandidate): Inclusion {
  const { hash } = inclusion;
  const receipts = statements.flatMap((statement) => statement.receipts.get(hash) ?? []);
  const priced = receipts.filter(
    (receipt) => isSame(receipt, inclusion) && receipt.effectiveGasPrice !== null,
  );
  const reported = priced.map(inclusionOf);
  const isAgreed = ({ fee }: Inclusion): boolean =>
    2 * reported.filter((other) => other.fee === fee).length > reported.length;
  const [only] = priced;
  // What only one endpoint reports may at least not exceed what the attempt offers.
  const isDoubtful = priced.length === 1 && only !== undefined && exceeds(only, attempt);
  const agreed = isDoubtful ? undefined : reported.find(isAgreed);
  return { ...inclusion, fee: null, ...agreed, hash };
}

const exceeds = (receipt: Receipt, attempt: AttemptContent | null): boolean =>
  attempt !== null &&
  (executionFeeOf(receipt) ?? 0n) > BigInt(attempt.gas_limit) * highestPrice(feesIn(attempt));
