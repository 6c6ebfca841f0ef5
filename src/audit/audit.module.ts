import { Global, Module } from '@nestjs/common';
import { AuditApiService } from './audit-api.service';
import { AuditLog } from './audit-log';
import { AuditRows } from './audit-rows';
import { AuditApi } from './audit.api';
import { ChainRegister } from './chain-register';
import { Refusals } from './refusals/refusals';

/** The audit log, in which every module records its actions. */
@Global()
@Module({
  providers: [ChainRegister, AuditRows, AuditLog, Refusals, { provide: AuditApi, useClass: AuditApiService }],
  exports: [ChainRegister, AuditLog, Refusals, AuditApi],
})
export class AuditModule {}
