import { isSameInclusion } from '../../same-inclusion';
import type { RpcPool } from '../../rpc/rpc-pool';
import type { AttemptContent, FinalCandidate, Inclusion } from '../../transaction-chain';
import { areEnough, following, fromAvailable, isStalled, withHead } from './agreement';
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
 * @returns the inclusions on which endpoints agree, with their fees, by the hashes of the candidates; they may differ from
 * the candidates, which are what a single endpoint has reported
 */
export async function agreedInclusions(
  pool: RpcPool,
  address: string,
  candidates: readonly FinalCandidate[],
  finality: Finality,
): Promise<Map<string, Inclusion>> {
  // A single endpoint has nothing to be compared with.
  if (candidates.length === 0 || pool.members.length === 1)
    return new Map(
      candidates.flatMap(({ inclusion, isRead }) => (isRead ? [[inclusion.hash, inclusion]] : [])),
    );
  const { stated: statements } = await fromAvailable(pool, (one) => statementOf(one, address, candidates));
  if (!areEnough(statements.length, pool)) return new Map();
  const isAgreed = (candidate: FinalCandidate): boolean => {
    const verdicts = statements.map((statement) => verdictOf(statement, candidate, finality));
    const count = (wanted: Verdict): number => verdicts.filter((verdict) => verdict === wanted).length;
    const supporting = count('final');
    if (supporting + count('shallow') === 1 && count('late') > 0) return false;
    return 2 * supporting >= statements.length && supporting > count('contradicts');
  };
  return new Map(
    candidates.flatMap((candidate) => {
      const agreed = [candidate, ...alternatives(statements, candidate)].find(isAgreed);
      return agreed ? [[candidate.inclusion.hash, withAgreedFee(statements, agreed)]] : [];
    }),
  );
}

/** The inclusions that one endpoint reports, by the hashes that were passed in. @throws as {@link readReceipts} */
export async function readInclusions(
  pool: RpcPool,
  hashes: readonly string[],
): Promise<Map<string, Inclusion>> {
  const receipts = hashes.length === 0 ? [] : await readReceipts(pool, hashes);
  return new Map([...receipts].map(([hash, receipt]) => [hash, { ...inclusionOf(receipt), hash }]));
}

/**
 * The inclusions that at least half of those responding endpoints have that {@link following follow the chain}; none if
 * there is only one endpoint. Two endpoints may have different ones of a transaction.
 */
export async function inclusionsOfHalf(
  pool: RpcPool,
  hashes: readonly string[],
  { stalledAfterMs }: Finality,
): Promise<Inclusion[]> {
  if (hashes.length === 0 || pool.members.length === 1) return [];
  const { stated } = await fromAvailable(pool, (one) => withHead(one, readInclusions(one, hashes)));
  const current = following(stated, stalledAfterMs).map((inclusions) => [...inclusions.values()]);
  const isOfHalf = (inclusion: Inclusion): boolean => {
    const having = current.filter((inclusions) => inclusions.some((one) => isSameInclusion(one, inclusion)));
    return 2 * having.length >= current.length;
  };
  return current.flat().filter(isOfHalf);
}

/** The other inclusions of a transaction that endpoints report. At most one of all can be agreed. */
function alternatives(statements: readonly Statement[], candidate: FinalCandidate): FinalCandidate[] {
  const { hashes, inclusion } = candidate;
  const stated = statements.flatMap(({ receipts }) =>
    hashes.flatMap((hash) => {
      const receipt = receipts.get(hash);
      return receipt ? [{ ...inclusionOf(receipt), hash }] : [];
    }),
  );
  return stated
    .filter((other) => !isSameInclusion(inclusion, other))
    .map((other) => ({ ...candidate, inclusion: other, attempt: null }));
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
