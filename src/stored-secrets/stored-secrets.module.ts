import { Module } from '@nestjs/common';
import { RowAdoption } from './row-adoption';
import { StorageKeyCheck } from './storage-key-check';

/** The stored rows and secrets of all modules. They are checked before any of them is used. */
@Module({ providers: [StorageKeyCheck, RowAdoption], exports: [StorageKeyCheck] })
export class StoredSecretsModule {}
