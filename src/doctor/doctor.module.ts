import { type DynamicModule, Module } from '@nestjs/common';
import { ApproverCount } from '../auth/api-keys/approver-count';
import type { AppConfig } from '../config/app-config';
import { HeadlessModule, type StoredContent } from '../headless/headless.module';
import { StorageKeyCheck } from '../stored-secrets/storage-key-check';
import { ApproversCheck } from './approvers.check';
import { EndpointsCheck } from './endpoints.check';
import { SignersCheck } from './signers.check';
import { StoredRowsCheck } from './stored-rows.check';

/** Checks of stored rows. The schema of the database must be current, so that the examination changes nothing. */
@Module({})
export class DoctorModule {
  static register(config: AppConfig, stored: StoredContent): DynamicModule {
    return {
      module: DoctorModule,
      imports: [HeadlessModule.register({ ...config, redisUrl: undefined }, stored)],
      providers: [
        StorageKeyCheck,
        ApproverCount,
        ApproversCheck,
        EndpointsCheck,
        SignersCheck,
        StoredRowsCheck,
      ],
    };
  }
}
