import { Global, Module } from '@nestjs/common';
import { AuditedAuthenticationFailures } from '../audit/refusals/audited-authentication-failures';
import { AuthenticationFailures } from '../access/authentication-failures';
import { Principals } from '../access/principals';
import { ApiKeyAuthentication } from './api-keys/api-key-authentication';
import { ApiKeyLookup } from './api-keys/api-key-lookup';
import { ApiKeyUse } from './api-keys/api-key-use';
import { Authenticator } from './authenticator';
import { KnownPrincipals } from './known-principals';
import { RootKeys } from './root-keys';
import { SignedRequestAuthentication } from './signed-requests/signed-request-authentication';
import { UsedNonces } from './signed-requests/used-nonces';

/** Authentication, used by both the bearer guard and the rate limit. */
@Global()
@Module({
  providers: [
    Authenticator,
    RootKeys,
    ApiKeyAuthentication,
    ApiKeyLookup,
    ApiKeyUse,
    SignedRequestAuthentication,
    UsedNonces,
    { provide: AuthenticationFailures, useClass: AuditedAuthenticationFailures },
    { provide: Principals, useClass: KnownPrincipals },
  ],
  exports: [Authenticator, Principals, AuthenticationFailures, SignedRequestAuthentication],
})
export class AuthModule {}
