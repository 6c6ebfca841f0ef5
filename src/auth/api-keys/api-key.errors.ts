import { DomainError, invalidRequest } from '../../common/errors/domain-error';

export const apiKeyNotFound = (id: string): DomainError =>
  new DomainError('api_key_not_found', `Api key with ID ${id} not found`);

/** The error for a caller whose key was valid when the request began. */
export const noLongerValid = (): DomainError =>
  new DomainError('unauthorized', 'Unauthorized', 'the API key is no longer valid');

export const apiKeyHasNoSecret = (): DomainError =>
  invalidRequest('the key has a public_key and no secret: create another key instead');

export const expiryInThePast = (): DomainError => invalidRequest('expires_at must be in the future');
