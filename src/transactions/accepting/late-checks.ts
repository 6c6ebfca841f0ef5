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
 * limit lowered, or an API key revoked. Sets their current relayers, or why they are refused. Must be called in the
 * unit of work that accepts them, once it holds its locks and before its first other read, so that it sees what was
 * committed before.
 */
export async function checkLate(items: readonly Waiting[]): Promise<void> {
  const now = performance.now();
  const checks = new Map<string, ActingRelayer | DomainError>();
  for (const item of items) {
    item.refusal = undefined;
    if (now - item.checkedAt <= MAX_WAIT_MS) continue;
    const { caller, relayer } = item;
    // Many may have waited together: one check is enough for those of one API key and relayer.
    const id = `${caller.keyId} ${relayer.id}`;
    const current = checks.get(id) ?? (await item.check().catch(refusalOf));
    checks.set(id, current);
    if (current instanceof DomainError) item.refusal = current;
    else if (isSameAccount(current, relayer)) item.relayer = current;
    else item.refusal = relayerNotFound(relayer.id);
  }
}

function refusalOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  throw error;
}
