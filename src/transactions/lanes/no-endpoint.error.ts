import type { DomainError } from '../../common/errors/domain-error';
import type { Account } from '../processing/open-transactions';

/** The relayer of an account has no endpoint that may be used, so nothing can be read or sent for it. */
export class NoEndpointError extends Error {
  constructor(
    readonly account: Account,
    { detail }: DomainError,
    /** Whether it had one, or nothing was known, when the account was last looked up. */
    readonly isNew: boolean,
  ) {
    super(detail);
    this.name = 'NoEndpointError';
  }
}
