import { DynamicModule, Global, Logger, Module } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions } from 'typeorm';
import type { AppConfig, DatabaseSettings } from '../config/app-config';
import { connect } from './connect';
import { dataSourceOptions, placeOf } from './data-source';
import { migrate, type MigrationSet } from './migrate';
import { OneTripTransactions } from './one-trip-transactions';
import { RowIntegrity } from './integrity/row-integrity';
import { SharedUnits } from './shared-units';
import { mayPass, START_ATTEMPTS, START_RETRY_MS } from './start-retries';
import { UnitOfWork } from './unit-of-work';

/** Connects to the database, migrates it, and provides units of work and the row integrity check to every module. */
@Global()
@Module({})
export class DatabaseModule {
  static register(
    entities: NonNullable<DataSourceOptions['entities']>,
    migrations: readonly MigrationSet[] = [],
  ): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [ConfigService],
          useFactory: (config: ConfigService<AppConfig, true>) => ({
            ...dataSourceOptions(named(config.get('database', { infer: true })), entities),
            retryAttempts: START_ATTEMPTS,
            retryDelay: START_RETRY_MS,
            toRetry: mayPass,
          }),
          dataSourceFactory: (options) => open(options, migrations),
        }),
      ],
      providers: [UnitOfWork, SharedUnits, RowIntegrity, OneTripTransactions],
      exports: [UnitOfWork, SharedUnits, RowIntegrity, OneTripTransactions],
    };
  }
}

/** Logs which database is used, before the first attempt to connect. */
function named(settings: DatabaseSettings): DatabaseSettings {
  new Logger('Database').log('Using database', { type: settings.type, database: placeOf(settings) });
  return settings;
}

async function open(
  options: DataSourceOptions | undefined,
  migrations: readonly MigrationSet[],
): Promise<DataSource> {
  if (!options) throw new Error('The data source has no options');
  const dataSource = await connect(options);
  try {
    await migrate(dataSource, migrations);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
