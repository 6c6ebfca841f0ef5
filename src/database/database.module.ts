import { DynamicModule, Global, Module } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions } from 'typeorm';
import type { AppConfig } from '../config/app-config';
import { ConfigurationError } from '../config/configuration-error';
import { createDataSource, dataSourceOptions } from './data-source';
import { migrate, type MigrationSet } from './migrate';
import { OneTripTransactions } from './one-trip-transactions';
import { RowIntegrity } from './integrity/row-integrity';
import { SharedUnits } from './shared-units';
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
            ...dataSourceOptions(config.get('database', { infer: true }), entities),
            retryAttempts: 10,
            retryDelay: 3000,
            // Not retried if a migration refuses the data.
            toRetry: (error: unknown) => !(error instanceof ConfigurationError),
          }),
          dataSourceFactory: (options) => open(options, migrations),
        }),
      ],
      providers: [UnitOfWork, SharedUnits, RowIntegrity, OneTripTransactions],
      exports: [UnitOfWork, SharedUnits, RowIntegrity, OneTripTransactions],
    };
  }
}

async function open(
  options: DataSourceOptions | undefined,
  migrations: readonly MigrationSet[],
): Promise<DataSource> {
  if (!options) throw new Error('The data source has no options');
  const dataSource = await createDataSource(options).initialize();
  try {
    await migrate(dataSource, migrations);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
