import { invalidRequest } from '../../common/errors/domain-error';
import type { ActingRelayer } from '../relayer.entity';
import type { WithTopUp } from './top-up-policy.dto';

const MEMBER = 'policies.top_up.from_relayer';

/** @throws DomainError `invalid_request` for a relayer that would send coins to itself */
export function assertTopUpFromAnother(id: string, policies: WithTopUp): void {
  if (policies.top_up?.from_relayer === id) throw invalidRequest(`${MEMBER} must be another relayer`);
}

/**
 * Why the relayer named in the policies cannot top up a relayer; undefined if it can.
 *
 * @param source the named relayer; null if it does not exist
 */
export function topUpSourceFault(
  { network, networkType }: Pick<ActingRelayer, 'network' | 'networkType'>,
  source: Pick<ActingRelayer, 'network' | 'networkType'> | null,
): string | undefined {
  if (!source) return `${MEMBER}: there is no such relayer`;
  const isSame = source.networkType === networkType && source.network === network;
  return isSame ? undefined : `${MEMBER}: that relayer is on another network`;
}
