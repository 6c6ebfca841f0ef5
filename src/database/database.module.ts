import { DynamicModule, Global, Module } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions } from 'typeorm';
import type { AppConfig } from '../config/app-config';
import { ConfigurationError } from '../config/configuration-error';
import { createDataSource, dataSourceOptions } from './data-source';
import { migrate } from './migrate';
import { RowIntegrity } from './integrity/row-integrity';
import { UnitOfWork } from './unit-of-work';

/** Connects, migrates, and gives every module the unit of work and the check of rows. */
@Global()
@Module({})
export class DatabaseModule {
  static register(entities: NonNullable<DataSourceOptions['entities']>): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [ConfigService],
          useFactory: (config: ConfigService<AppConfig, true>) => ({
            ...dataSourceOptions(config.get('database', { infer: true }), entities),
            retryAttempts: 10,
            retryDelay: 3000,
            // Waiting changes nothing about data that a migration refuses.
            toRetry: (error: unknown) => !(error instanceof ConfigurationError),
          }),
          dataSourceFactory: open,
        }),
      ],
      providers: [UnitOfWork, RowIntegrity],
      exports: [UnitOfWork, RowIntegrity],
    };
  }
}

async function open(options?: DataSourceOptions): Promise<DataSource> {
  if (!options) throw new Error('The data source has no options');
  const dataSource = await createDataSource(options).initialize();
  try {
    await migrate(dataSource);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
