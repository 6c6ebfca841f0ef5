import { Injectable, Logger } from '@nestjs/common';
import { type AuthenticationFailure, AuthenticationFailures } from '../../access/authentication-failures';
import { currentRequest } from '../../common/http/request-context';
import { Refusals } from './refusals';

/** Records why credentials were refused. The recorded key is the one that the caller claimed, whether proven or not. */
@Injectable()
export class AuditedAuthenticationFailures extends AuthenticationFailures {
  private readonly logger = new Logger('Authentication');

  constructor(private readonly refusals: Refusals) {
    super();
  }

  record(failure: AuthenticationFailure): void {
    const { cause, keyId = null, clientAddress: clientIp = null } = failure;
    this.logger.debug('Credentials refused', failure);
    this.refusals.record(
      { action: 'authentication.fail', code: cause },
      { keyId, requestId: currentRequest()?.id ?? null, clientIp },
    );
  }
}
