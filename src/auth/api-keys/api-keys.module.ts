import { Module } from '@nestjs/common';
import { ApiKeyCreations, ApiKeyRotations, ApiKeyUpdates } from './api-key-requests';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysService } from './api-keys.service';
import { ApproverCount } from './approver-count';
import { ApproverNotice } from './approver-notice';

/** The routes for API keys; authentication with them is in `AuthModule`. */
@Module({
  controllers: [ApiKeysController],
  providers: [ApiKeysService, ApiKeyCreations, ApiKeyUpdates, ApiKeyRotations, ApproverCount, ApproverNotice],
  exports: [ApiKeysService],
})
export class ApiKeysModule {}
