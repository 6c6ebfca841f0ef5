import { Global, Module } from '@nestjs/common';
import { BearerAuthenticator } from './bearer-authenticator';

/** Who is calling: shared by the bearer guard and by the rate limit. */
@Global()
@Module({ providers: [BearerAuthenticator], exports: [BearerAuthenticator] })
export class AuthModule {}
