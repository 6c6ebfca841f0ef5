import { Module } from '@nestjs/common';
import { RowAdoption } from './row-adoption';
import { StorageKeyCheck } from './storage-key-check';

/** The rows and secrets of all modules as they are stored. */
@Module({ providers: [StorageKeyCheck, RowAdoption], exports: [StorageKeyCheck] })
export class StoredSecretsModule {}
