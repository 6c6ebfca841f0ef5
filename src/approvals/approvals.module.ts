import { Global, Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { ApprovalsService } from './approvals.service';
import { Approvers } from './approvers';
import { ChangeDecisionsService } from './change-decisions.service';
import { ChangeListeners } from './change-listeners';
import { ChangeOperations } from './change-operations';
import { ChangeQueries } from './change-queries';
import { ChangeRetention } from './change-retention';
import { ChangeRows } from './change-rows';
import { ChangeMetrics } from './change.metrics';
import { ChangesController } from './changes.controller';

/** Changes that wait for approval, for all modules that make such changes. */
@Global()
@Module({
  imports: [AccessModule],
  controllers: [ChangesController],
  providers: [
    ApprovalsService,
    Approvers,
    ChangeListeners,
    ChangeOperations,
    ChangeRows,
    ChangeQueries,
    ChangeDecisionsService,
    ChangeRetention,
    ChangeMetrics,
  ],
  exports: [ApprovalsService, ChangeListeners, ChangeOperations],
})
export class ApprovalsModule {}
