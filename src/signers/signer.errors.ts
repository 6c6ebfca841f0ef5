import { DomainError, invalidRequest } from '../common/errors/domain-error';

export const signerNotFound = (id: string): DomainError =>
  new DomainError('signer_not_found', `Signer with ID ${id} not found`);

export const signerExists = (): DomainError =>
  new DomainError('signer_exists', 'Signer with this ID already exists');

/** @param offered the kinds that the caller may use */
export const signerTypeUnknown = (offered: string[]): DomainError =>
  invalidRequest(`type must be one of ${offered.join(', ')}`);

/** For a stored signer whose kind belongs to a plugin that is not loaded, or to another version of the service. */
export const signerKindMissing = (kind: string): DomainError =>
  new DomainError(
    'signer_unavailable',
    'Service Unavailable',
    `no module of this service opens signers of type ${kind}`,
  );

/** Refuses a kind that reads a file of the server and was requested over HTTP. */
export const signerReadsFiles = (type: string): DomainError =>
  invalidRequest(
    `type ${type} reads a file of the server and is for configuration files only: over HTTP send type keystore, with the content of an encrypted JSON keystore, or plain, with the key`,
  );

/** @param dependents as returned by `describeDependents` */
export const signerInUse = (id: string, dependents: string): DomainError =>
  new DomainError('signer_in_use', 'Signer is in use', `Signer '${id}' is used by ${dependents}`);

export const signerUpdatesRefused = (): DomainError =>
  invalidRequest(
    'Signer updates are not allowed for security reasons. Please delete the existing signer and create a new one with the desired configuration.',
  );
