import { type DynamicModule, Module } from '@nestjs/common';
import type { AppConfig } from '../../config/app-config';
import { HeadlessModule, type StoredContent } from '../../headless/headless.module';
import { StoredSecretsModule } from '../../stored-secrets/stored-secrets.module';
import { NetworkPlanner } from '../plan/network-planner';
import { ConfiguredSigners } from '../plan/configured-signers';
import { ProvisioningPlanner } from '../plan/planner';
import { RelayerConflicts } from '../plan/relayer-conflicts';
import { ImportService } from './import.service';

/** Imports the configuration of another relayer service. */
@Module({})
export class ImportModule {
  static register(config: AppConfig, stored: StoredContent): DynamicModule {
    return {
      module: ImportModule,
      imports: [HeadlessModule.register(config, stored), StoredSecretsModule],
      providers: [ImportService, ProvisioningPlanner, ConfiguredSigners, NetworkPlanner, RelayerConflicts],
    };
  }
}
