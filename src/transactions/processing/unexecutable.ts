import type { Drafted } from '../../chains/transaction-chain';
import type { TransactionEntity } from '../transaction.entity';
import { kindOf, type Sendable } from './attempt-signer';
import type { LaneContext } from './lane-context';
import { executionOf } from './lane-memory';
import { isLastingRefusal } from './lasting-refusal';
import { isPrivate } from './private-sending';

/** How long nodes must have refused a transaction for a reason that is not known before it is simulated. */
const REFUSED_MS = 600_000;

type Refused = Extract<Drafted<unknown>, { refused: string }>;

/**
 * Why a request that nodes do not have, and that they refuse for a reason that is not known, cannot be executed: most
 * endpoints say for a while that it would revert, is invalid, or needs more gas than it has. Otherwise all later nonces
 * would wait for it forever. `doubtful` until that has lasted; undefined as long as it may be executed, or that cannot
 * be determined.
 *
 * A no-op uses its nonce. So if a node has an attempt after all, that is either mined or never.
 */
export async function unexecutable(
  context: LaneContext,
  { row, raw }: Sendable,
): Promise<Refused | 'doubtful' | undefined> {
  const { memory, view } = context;
  if (kindOf(row) === 'noop' || row.nonce !== view.nonce) return undefined;
  if (memory.waits.refusedFor(row.id) < REFUSED_MS) return undefined;
  const refused = await refusalOf(context, row);
  if (!refused) {
    memory.settled(executionOf(row.id));
    return undefined;
  }
  if (!(await isLastingRefusal(context, row, executionOf(row.id)))) return 'doubtful';
  return (await mayBeMined(context, { row, raw })) ? undefined : refused;
}

/** Why most endpoints say that a request cannot be executed. */
async function refusalOf({ chain }: LaneContext, row: TransactionEntity): Promise<Refused | undefined> {
  const { sender, nonce, request, attempt } = row;
  // Simulated although the client has not asked for it, or it was signed.
  const order = {
    ...{ kind: 'request' as const, sender, nonce, request: { ...request, simulate: true }, wasSigned: false },
    // That has lasted for long already.
    believesFew: true,
    ...{ replaces: [], limits: { cap: undefined, maxFee: undefined, legacy: false } },
  };
  // The results of sending are stored even if no node responds.
  const drafted = await chain.draft(order).catch(() => undefined);
  if (drafted && 'refused' in drafted) return drafted;
  if (attempt && (await chain.isShortOfGas(sender, attempt, request)))
    return { refused: `Transaction gas limit (${attempt.gas_limit}) is too low` };
  return undefined;
}

/** Whether a node has one of the attempts, or an endpoint that was not asked before may accept the newest. */
async function mayBeMined(context: LaneContext, { row, raw }: Sendable): Promise<boolean> {
  const { chain } = context;
  const hash = row.attempt?.hash ?? '';
  try {
    if (!(await chain.isRefusedByAll({ raw, hash }, isPrivate(context, row)))) return true;
    // No node has ever acknowledged an attempt.
    if (row.status === 'sent') return false;
    for (const each of [...row.hashes].reverse()) if (await chain.isKnown(each)) return true;
    return false;
  } catch {
    return true;
  }
}
