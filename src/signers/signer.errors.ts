import { DomainError, invalidRequest } from '../common/errors/domain-error';

export const signerNotFound = (id: string): DomainError =>
  new DomainError('signer_not_found', `Signer with ID ${id} not found`);

export const signerExists = (): DomainError =>
  new DomainError('signer_exists', 'Signer with this ID already exists');

/** @param dependents as `describeDependents` words them */
export const signerInUse = (id: string, dependents: string): DomainError =>
  new DomainError('signer_in_use', 'Signer is in use', `Signer '${id}' is used by ${dependents}`);

export const signerUpdatesRefused = (): DomainError =>
  invalidRequest(
    'Signer updates are not allowed for security reasons. Please delete the existing signer and create a new one with the desired configuration.',
  );
