import { DynamicModule, Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import type { AppConfig } from './app-config';

/** Provides the configuration that was read and validated before the application was created. */
@Module({})
export class SettingsModule {
  static register(config: AppConfig): DynamicModule {
    return {
      module: SettingsModule,
      imports: [
        ConfigModule.forRoot({
          isGlobal: true,
          ignoreEnvFile: true,
          skipProcessEnv: true,
          load: [() => config],
        }),
      ],
    };
  }
}
