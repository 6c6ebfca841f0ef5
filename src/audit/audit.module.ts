import { Global, Module } from '@nestjs/common';
import { AuditLog } from './audit-log';
import { AuditRows } from './audit-rows';
import { ChainRegister } from './chain-register';
import { Refusals } from './refusals/refusals';

/** The audit log, in which every module records its actions. */
@Global()
@Module({
  providers: [ChainRegister, AuditRows, AuditLog, Refusals],
  exports: [ChainRegister, AuditLog, Refusals],
})
export class AuditModule {}
