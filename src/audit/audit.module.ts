import { Global, Module } from '@nestjs/common';
import { AuditLog } from './audit-log';
import { AuditRows } from './audit-rows';
import { ChainRegister } from './chain-register';

/** The audit log: every module records what it does. */
@Global()
@Module({ providers: [ChainRegister, AuditRows, AuditLog], exports: [ChainRegister, AuditLog] })
export class AuditModule {}
