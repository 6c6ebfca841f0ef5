import { invalidRequest } from '../common/errors/domain-error';
import type { ActingRelayer } from '../relayers/relayer.entity';

/** @param what as in `cannot sign messages`. @throws DomainError `invalid_request` for a relayer that is not on an EVM network */
export function requireEvm({ networkType }: ActingRelayer, what: string): void {
  if (networkType !== 'evm')
    throw invalidRequest(`a relayer of network type ${networkType} cannot sign ${what}`);
}
