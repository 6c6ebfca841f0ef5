import { Global, Module } from '@nestjs/common';
import { Principals } from '../access/principals';
import { Authenticator } from './authenticator';
import { KnownPrincipals } from './known-principals';

/** Who is calling: shared by the bearer guard and by the rate limit. */
@Global()
@Module({
  providers: [Authenticator, { provide: Principals, useClass: KnownPrincipals }],
  exports: [Authenticator, Principals],
})
export class AuthModule {}
