import { Module } from '@nestjs/common';
import { ApiKeyCreations, ApiKeyRotations, ApiKeyUpdates } from './api-key-requests';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysService } from './api-keys.service';

/** The routes of API keys; `AuthModule` authenticates with them. */
@Module({
  controllers: [ApiKeysController],
  providers: [ApiKeysService, ApiKeyCreations, ApiKeyUpdates, ApiKeyRotations],
  exports: [ApiKeysService],
})
export class ApiKeysModule {}
