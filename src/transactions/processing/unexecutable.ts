import type { Drafted } from '../../chains/transaction-chain';
import type { TransactionEntity } from '../transaction.entity';
import { kindOf } from './attempt-signer';
import type { LaneContext } from './lane-context';
import { executionOf } from './lane-memory';
import { isLastingRefusal } from './lasting-refusal';

/** How long nodes must have refused a transaction for a reason that is not known before it is simulated. */
const REFUSED_MS = 600_000;

type Refused = Extract<Drafted<unknown>, { refused: string }>;

/**
 * Why a request that no node has ever accepted, and that nodes refuse for a reason that is not known, cannot be executed:
 * most endpoints say for a while that it would revert, or is invalid. Otherwise all later nonces would wait for it
 * forever. Undefined as long as it may be executed, or that cannot be determined.
 */
export async function unexecutable(
  context: LaneContext,
  row: TransactionEntity,
): Promise<Refused | undefined> {
  const { chain, memory, view } = context;
  const { id, status, sender, nonce, request } = row;
  if (kindOf(row) === 'noop' || status !== 'sent' || nonce !== view.nonce) return undefined;
  if (memory.waits.refusedFor(id) < REFUSED_MS) return undefined;
  // Simulated although the client has not asked for it, or it was signed.
  const order = {
    ...{ kind: 'request' as const, sender, nonce, request: { ...request, simulate: true }, wasSigned: false },
    ...{ replaces: [], limits: { cap: undefined, maxFee: undefined, legacy: false } },
  };
  // The results of sending are stored even if no node responds.
  const drafted = await chain.draft(order).catch(() => undefined);
  if (drafted && 'refused' in drafted)
    return (await isLastingRefusal(context, row, executionOf(id))) ? drafted : undefined;
  memory.settled(executionOf(id));
  return undefined;
}
