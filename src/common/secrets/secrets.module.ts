import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Secret } from './secret';
import { type SealedColumn, SecretCipher } from './secret-cipher';

/** Gives every module the one cipher for secrets at rest. */
@Global()
@Module({})
export class SecretsModule {
  static register(storageKeys: readonly Secret[], columns: readonly SealedColumn[]): DynamicModule {
    return {
      module: SecretsModule,
      providers: [{ provide: SecretCipher, useFactory: () => new SecretCipher(storageKeys, columns) }],
      exports: [SecretCipher],
    };
  }
}
