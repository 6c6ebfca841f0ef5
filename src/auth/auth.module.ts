import { Global, Module } from '@nestjs/common';
import { Authenticator } from './authenticator';

/** Who is calling: shared by the bearer guard and by the rate limit. */
@Global()
@Module({ providers: [Authenticator], exports: [Authenticator] })
export class AuthModule {}
