import { DynamicModule, Module } from '@nestjs/common';
import type { DataSourceOptions } from 'typeorm';
import type { ProtectedTable } from '../../secrets/row-macs';
import type { SealedColumn } from '../../secrets/secret-cipher';
import { SecretsModule } from '../../secrets/secrets.module';
import { ApprovalsModule } from '../../approvals/approvals.module';
import { AuthModule } from '../../auth/auth.module';
import { BackgroundModule } from '../../background/background.module';
import type { AppConfig } from '../../config/app-config';
import { SettingsModule } from '../../config/settings.module';
import { DatabaseModule } from '../../database/database.module';
import { MetricsModule } from '../../metrics/metrics.module';
import { NetworksModule } from '../../networks/networks.module';
import { AuditModule } from '../../audit/audit.module';
import { PortsModule } from '../../common/ports/ports.module';
import { NotificationsApi } from '../../notifications/notifications.api';
import { NotificationsModule } from '../../notifications/notifications.module';
import { NetworkPlanner } from '../plan/network-planner';
import { ProvisioningPlanner } from '../plan/planner';
import { RelayerConflicts } from '../plan/relayer-conflicts';
import { RateLimitsModule } from '../../rate-limits/rate-limits.module';
import { RedisModule } from '../../redis/redis.module';
import { RelayersApi } from '../../relayers/relayers.api';
import { RelayersModule } from '../../relayers/relayers.module';
import { SignersModule } from '../../signers/signers.module';
import { StoredSecretsModule } from '../../stored-secrets/stored-secrets.module';
import { ImportService } from './import.service';

/** The service without HTTP and without initial content. */
@Module({})
export class ImportModule {
  static register(
    config: AppConfig,
    entities: NonNullable<DataSourceOptions['entities']>,
    sealedColumns: readonly SealedColumn[],
    protectedTables: readonly ProtectedTable[],
  ): DynamicModule {
    return {
      module: ImportModule,
      imports: [
        SettingsModule.register(config),
        SecretsModule.register(config.storageKeys, sealedColumns, protectedTables),
        DatabaseModule.register(entities),
        RedisModule,
        MetricsModule,
        RateLimitsModule,
        BackgroundModule,
        AuditModule,
        AuthModule,
        ApprovalsModule,
        NetworksModule,
        SignersModule,
        NotificationsModule,
        RelayersModule,
        StoredSecretsModule,
        PortsModule.register({
          ports: [RelayersApi, NotificationsApi],
          modules: [RelayersModule, NotificationsModule],
        }),
      ],
      providers: [ImportService, ProvisioningPlanner, NetworkPlanner, RelayerConflicts],
    };
  }
}
