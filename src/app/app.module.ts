import { DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ENTITIES } from './entities';
import { PROTECTED_TABLES } from './protected-tables';
import { SEALED_COLUMNS } from './sealed-columns';
import { ScopeGuard } from '../access/scope.guard';
import { ApprovalsModule } from '../approvals/approvals.module';
import { ApiKeysModule } from '../auth/api-keys/api-keys.module';
import { AuditEventsModule } from '../audit/events/audit-events.module';
import { AuditModule } from '../audit/audit.module';
import { RefusalFilter } from '../audit/refusals/refusal.filter';
import { AuthModule } from '../auth/auth.module';
import { ContentDigestGuard } from '../auth/signed-requests/content-digest.guard';
import { BackgroundModule } from '../background/background.module';
import { BearerGuard } from '../auth/bearer.guard';
import { LateBodyGuard } from '../auth/late-body.guard';
import { PortsModule } from '../common/ports/ports.module';
import { EnvelopeInterceptor } from '../common/envelope/envelope.interceptor';
import { BodyBudget } from '../common/http/body/body-budget';
import { BodyGuard } from '../common/http/body/body.guard';
import { EmptyBodyGuard } from '../common/http/body/empty-body.guard';
import { OversizedBodies } from './oversized-bodies';
import { MonitoringPages } from './monitoring/monitoring-pages';
import { MonitoringServer } from './monitoring/monitoring-server';
import { ShutdownService } from '../common/http/shutdown.service';
import { SecretsModule } from '../secrets/secrets.module';
import { RequestThrottlerGuard } from '../rate-limits/request-throttler.guard';
import { JsonBodyPipe } from '../common/validation/json-body.pipe';
import type { AppConfig } from '../config/app-config';
import { settingsModule } from '../config/settings.module';
import { DatabaseModule } from '../database/database.module';
import { FreezeModule } from '../freeze/freeze.module';
import { LifecycleModule } from '../lifecycle/lifecycle.module';
import { OVERRIDABLE_PORTS } from '../plugins/overridable-ports';
import { NO_PLUGINS } from '../plugins/plugins';
import { LOADED_PLUGINS, MissingPlugins } from '../plugins/missing-plugins';
import { AddedModuleRules } from '../plugins/added-module-rules';
import { HealthModule } from '../health/health.module';
import { MetricsModule } from '../metrics/metrics.module';
import { NetworksModule } from '../networks/networks.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { ProvisioningModule } from '../provisioning/provisioning.module';
import { RateLimitsModule } from '../rate-limits/rate-limits.module';
import { RedisModule } from '../redis/redis.module';
import { RelayersModule } from '../relayers/relayers.module';
import { SignersModule } from '../signers/signers.module';
import { SigningModule } from '../signing/signing.module';
import { TelemetryModule } from '../telemetry/telemetry.module';
import { TransactionsModule } from '../transactions/transactions.module';

/** The composition root: all modules, and the guards, pipe, interceptor and filter for every request. */
@Module({})
export class AppModule {
  static register(config: AppConfig, plugins = NO_PLUGINS): DynamicModule {
    return {
      module: AppModule,
      imports: [
        // Express tries routes in this order, so the ones that are called most come first.
        SigningModule,
        settingsModule(config),
        SecretsModule.register(
          config.storageKeys,
          [...SEALED_COLUMNS, ...plugins.sealedColumns],
          PROTECTED_TABLES,
        ),
        DatabaseModule.register([...ENTITIES, ...plugins.entities], plugins.migrations),
        RedisModule,
        MetricsModule,
        TelemetryModule,
        BackgroundModule,
        LifecycleModule,
        AuditModule,
        AuthModule,
        RateLimitsModule,
        SignersModule,
        NotificationsModule,
        NetworksModule,
        RelayersModule,
        TransactionsModule,
        FreezeModule,
        AuditEventsModule,
        ApprovalsModule,
        ApiKeysModule,
        HealthModule,
        ProvisioningModule,
        PortsModule.register({
          ports: OVERRIDABLE_PORTS,
          modules: [
            SigningModule,
            RelayersModule,
            TransactionsModule,
            NotificationsModule,
            ...plugins.modules,
          ],
          overrides: plugins.overrides,
        }),
      ],
      providers: [
        ShutdownService,
        ScopeGuard,
        BodyBudget,
        OversizedBodies,
        MonitoringPages,
        MonitoringServer,
        AddedModuleRules,
        { provide: LOADED_PLUGINS, useValue: plugins.names },
        MissingPlugins,
        // Guards run in this order: attempts at guessing tokens are limited before they are refused. The body comes
        // last, followed by the checks of its digest, of the caller's rights if it took long to arrive, and of a body
        // that must be empty.
        { provide: APP_GUARD, useClass: RequestThrottlerGuard },
        { provide: APP_GUARD, useClass: BearerGuard },
        { provide: APP_GUARD, useClass: ScopeGuard },
        { provide: APP_GUARD, useClass: BodyGuard },
        { provide: APP_GUARD, useClass: ContentDigestGuard },
        { provide: APP_GUARD, useClass: LateBodyGuard },
        { provide: APP_GUARD, useClass: EmptyBodyGuard },
        { provide: APP_PIPE, useClass: JsonBodyPipe },
        { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
        { provide: APP_FILTER, useClass: RefusalFilter },
      ],
    };
  }
}
