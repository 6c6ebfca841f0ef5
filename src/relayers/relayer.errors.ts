import { DomainError } from '../common/errors/domain-error';

export const relayerNotFound = (id: string): DomainError =>
  new DomainError('relayer_not_found', `Relayer with ID ${id} not found`);

export const relayerPaused = (): DomainError => new DomainError('relayer_paused', 'Relayer paused');

export const relayerDisabled = (): DomainError => new DomainError('relayer_disabled', 'Relayer disabled');
