import { DomainError, invalidRequest } from '../../errors/domain-error';

export const bodyTooLarge = (): DomainError =>
  new DomainError('payload_too_large', 'Payload Too Large', 'the request body must not exceed 1 MiB');

export const bodyEndedEarly = (): DomainError => invalidRequest('the request body ended early');

export const jsonRequired = (): DomainError =>
  invalidRequest('a JSON body with Content-Type: application/json is required');

export const bodyEncoded = (): DomainError =>
  new DomainError(
    'unsupported_media_type',
    'Unsupported Media Type',
    'Content-Encoding must be identity: send the body uncompressed',
  );
