import { Injectable, Logger } from '@nestjs/common';
import { type AuthenticationFailure, AuthenticationFailures } from '../access/authentication-failures';

/** Writes the causes to the log, at a level that is off by default: anybody can cause them. */
@Injectable()
export class LoggedAuthenticationFailures extends AuthenticationFailures {
  private readonly logger = new Logger('Authentication');

  record(failure: AuthenticationFailure): void {
    this.logger.debug('Credentials refused', failure);
  }
}
