import { DomainError } from '../common/errors/domain-error';

/** @param reason the reason of the freeze */
export const signingFrozen = (reason: string): DomainError =>
  new DomainError(
    'signing_frozen',
    'Signing frozen',
    `nothing is signed until POST /api/v1/signing/unfreeze; the reason given is: ${reason}`,
  );
