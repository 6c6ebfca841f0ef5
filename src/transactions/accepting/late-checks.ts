import { getOrCreate } from '../../common/get-or-create';
import { DomainError } from '../../common/errors/domain-error';
import type { ActingRelayer } from '../../relayers/relayer.entity';
import { relayerNotFound } from '../../relayers/relayer.errors';
import { isSameAccount } from '../../signing/signing-confirmation';
import type { Waiting } from './submission';

/**
 * How long a request may wait until it is stored before it is checked again. Under full load it waits for some tens of
 * milliseconds, so only locks and overload make it wait for longer.
 */
export const MAX_WAIT_MS = 250;

/**
 * Checks requests again that have waited for long, such as for a lock: meanwhile a relayer may have been paused, a
 * limit lowered, or an API key revoked. Sets their current relayers, or why they are refused. In a unit of work, it must
 * be called once the unit holds its locks and before its first other read, so that it sees what was committed before.
 */
export async function checkLate(items: readonly Waiting[]): Promise<void> {
  const now = performance.now();
  // Many may have waited together: one check is enough for those of one API key and relayer.
  const checks = new Map<string, Promise<ActingRelayer | DomainError>>();
  const late = items.filter(({ checkedAt }) => now - checkedAt > MAX_WAIT_MS);
  // At the same time, because lookups outside of a unit of work then share statements.
  await Promise.all(
    late.map(async (item) => {
      const { caller, relayer } = item;
      const id = `${caller.keyId} ${relayer.id}`;
      const current = await getOrCreate(checks, id, () => item.check().catch(refusalOf));
      item.checkedAt = now;
      item.refusal = undefined;
      if (current instanceof DomainError) item.refusal = current;
      else if (isSameAccount(current, relayer)) item.relayer = current;
      else item.refusal = relayerNotFound(relayer.id);
    }),
  );
}

function refusalOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  throw error;
}
