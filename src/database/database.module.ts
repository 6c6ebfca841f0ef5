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
import { retryLikeStart } from './start-retries';
import { UnitOfWork } from './unit-of-work';
import { onDatabase } from './unusable-database';

/** Connects to the database, migrates it, and provides units of work and the row integrity check to every module. */
@Global()
@Module({})
export class DatabaseModule {
  static register(
    entities: NonNullable<DataSourceOptions['entities']>,
    migrations: readonly MigrationSet[] = [],
  ): DynamicModule {
    let settings: DatabaseSettings;
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [ConfigService],
          useFactory: (config: ConfigService<AppConfig, true>) => {
            settings = config.get('database', { infer: true });
            new Logger('Database').log('Using database', {
              type: settings.type,
              database: placeOf(settings),
            });
            const isLost = settings.type === 'sqlite' && settings.file === ':memory:';
            if (isLost && config.get('production', { infer: true }))
              new Logger('Database').warn('The database is in memory: it is lost when the process ends');
            // The factory below makes the attempts.
            return { ...dataSourceOptions(settings, entities), toRetry: () => false };
          },
          dataSourceFactory: (options) =>
            onDatabase(settings, () => retryLikeStart(() => open(options, migrations))),
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
  const dataSource = await connect(options);
  try {
    await migrate(dataSource, migrations);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
