import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Secret } from './secret';
import { SecretCipher } from './secret-cipher';

/** Gives every module the one cipher for secrets at rest. */
@Global()
@Module({})
export class SecretsModule {
  static register(storageKey: Secret): DynamicModule {
    return {
      module: SecretsModule,
      providers: [{ provide: SecretCipher, useFactory: () => new SecretCipher(storageKey) }],
      exports: [SecretCipher],
    };
  }
}
