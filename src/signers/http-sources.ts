import { invalidRequest } from '../common/errors/domain-error';
import { Secret } from '../common/secrets/secret';
import type { SignerSources } from './signer-provider';

/**
 * Over HTTP, secrets are given as plain values: a caller may refer neither to environment variables nor to files of the
 * server.
 */
export const HTTP_SOURCES: SignerSources = {
  mayNameFiles: false,
  secret: (value, field) => {
    if (typeof value !== 'string' || value === '')
      throw invalidRequest(`${field} must be a string that is not empty`);
    return new Secret(value);
  },
  file: () => Promise.reject(invalidRequest('config must not name a file of the server')),
};
