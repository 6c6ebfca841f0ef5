import type { DynamicModule } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import type { AppConfig } from './app-config';

/** Provides the configuration, which is read and validated before the application is created. */
export const settingsModule = (config: AppConfig): Promise<DynamicModule> =>
  ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, skipProcessEnv: true, load: [() => config] });
