import { type DynamicModule, Module } from '@nestjs/common';
import type { DataSourceOptions } from 'typeorm';
import { ApprovalsModule } from '../approvals/approvals.module';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { BackgroundModule } from '../background/background.module';
import { PortsModule } from '../common/ports/ports.module';
import type { AppConfig } from '../config/app-config';
import { settingsModule } from '../config/settings.module';
import { DatabaseModule } from '../database/database.module';
import { MetricsModule } from '../metrics/metrics.module';
import { NetworksModule } from '../networks/networks.module';
import { NotificationsApi } from '../notifications/notifications.api';
import { NotificationsModule } from '../notifications/notifications.module';
import { OutboundModule } from '../outbound/outbound.module';
import { RateLimitsModule } from '../rate-limits/rate-limits.module';
import { RedisModule } from '../redis/redis.module';
import { RelayersApi } from '../relayers/relayers.api';
import { RelayersModule } from '../relayers/relayers.module';
import type { ProtectedTable } from '../secrets/row-macs';
import type { SealedColumn } from '../secrets/secret-cipher';
import { SecretsModule } from '../secrets/secrets.module';
import { SignersModule } from '../signers/signers.module';

/** Declares what is stored: tables, columns with secrets, and tables whose rows have MACs. */
export interface StoredContent {
  entities: NonNullable<DataSourceOptions['entities']>;
  sealedColumns: readonly SealedColumn[];
  protectedTables: readonly ProtectedTable[];
}

const MODULES = [OutboundModule, NetworksModule, SignersModule, NotificationsModule, RelayersModule];

/** The service without HTTP, background work and initial content, for commands. It migrates the database. */
@Module({})
export class HeadlessModule {
  static register(config: AppConfig, stored: StoredContent): DynamicModule {
    return {
      module: HeadlessModule,
      imports: [
        settingsModule({ ...config, background: false }),
        SecretsModule.register(config.storageKeys, stored.sealedColumns, stored.protectedTables),
        DatabaseModule.register(stored.entities),
        RedisModule,
        MetricsModule,
        RateLimitsModule,
        BackgroundModule,
        AuditModule,
        AuthModule,
        ApprovalsModule,
        ...MODULES,
        PortsModule.register({
          ports: [RelayersApi, NotificationsApi],
          modules: [RelayersModule, NotificationsModule],
        }),
      ],
      exports: MODULES,
    };
  }
}
