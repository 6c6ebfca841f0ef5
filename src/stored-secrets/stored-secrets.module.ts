import { Module } from '@nestjs/common';
import { StorageKeyCheck } from './storage-key-check';

/** The secrets of all modules as they are stored. */
@Module({ providers: [StorageKeyCheck], exports: [StorageKeyCheck] })
export class StoredSecretsModule {}
