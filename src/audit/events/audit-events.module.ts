import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { OutboundModule } from '../../outbound/outbound.module';
import { AuditExport } from '../export/audit-export';
import { AuditExportMetrics } from '../export/audit-export.metrics';
import { AuditRetention } from '../retention/audit-retention';
import { AuditEventsController } from './audit-events.controller';
import { AuditEventsService } from './audit-events.service';

/**
 * Everything that is done with recorded events: the routes that show them, their export to a sink, and their retention.
 */
@Module({
  imports: [AccessModule, OutboundModule],
  controllers: [AuditEventsController],
  providers: [AuditEventsService, AuditRetention, AuditExport, AuditExportMetrics],
})
export class AuditEventsModule {}
