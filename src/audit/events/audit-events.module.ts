import { Module } from '@nestjs/common';
import { AuditEventsController } from './audit-events.controller';
import { AuditEventsService } from './audit-events.service';

/** The routes of the audit log. */
@Module({ controllers: [AuditEventsController], providers: [AuditEventsService] })
export class AuditEventsModule {}
