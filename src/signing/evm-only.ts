import { invalidRequest } from '../common/errors/domain-error';
import type { ActingRelayer } from '../relayers/relayer.entity';
import type { SignatureForm } from '../lifecycle/lifecycle-events';

const NAMES: Readonly<Record<SignatureForm, string>> = {
  typed_data: 'typed data',
  typed_data_hashes: 'typed data',
  message: 'messages',
  transaction: 'transactions',
};

/** @throws DomainError `invalid_request` if the relayer is not on an EVM network */
export function assertEvm({ networkType }: ActingRelayer, form: SignatureForm): void {
  if (networkType !== 'evm')
    throw invalidRequest(`a relayer of network type ${networkType} cannot sign ${NAMES[form]}`);
}
