import { type DynamicModule, Global, Module } from '@nestjs/common';
import { type ProtectedTable, RowMacs } from './row-macs';
import { Secret } from '../common/secrets/secret';
import { type SealedColumn, SecretCipher } from './secret-cipher';

/** Provides the cipher for secrets at rest and the MACs of rows to every module. */
@Global()
@Module({})
export class SecretsModule {
  static register(
    storageKeys: readonly Secret[],
    columns: readonly SealedColumn[],
    tables: readonly ProtectedTable[],
  ): DynamicModule {
    return {
      module: SecretsModule,
      providers: [
        { provide: SecretCipher, useFactory: () => new SecretCipher(storageKeys, columns) },
        { provide: RowMacs, useFactory: () => new RowMacs(storageKeys, tables) },
      ],
      exports: [SecretCipher, RowMacs],
    };
  }
}
