import { type Abstract, type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { original } from './original';

/** A class that replaces the service's own implementation of a port. */
export interface PortOverride {
  /** `RelayersApi`, `SigningApi`, `TransactionsApi` or `NotificationsApi`. */
  port: Abstract<unknown>;
  /** Its constructor may inject the exports of the plugin's module, and `original(port)`. */
  useClass: Type;
}

interface PortsOptions {
  ports: readonly Abstract<unknown>[];
  /** The modules that export the originals, and those that export the dependencies of the overrides. */
  modules: NonNullable<DynamicModule['imports']>;
  overrides?: readonly PortOverride[];
}

/** Provides the ports to every module: the service's own implementations, or the overrides of plugins. */
@Global()
@Module({})
export class PortsModule {
  static register({ ports, modules, overrides = [] }: PortsOptions): DynamicModule {
    return {
      module: PortsModule,
      imports: modules,
      providers: ports.map((port) => {
        const override = overrides.find((candidate) => candidate.port === port);
        return override
          ? { provide: port, useClass: override.useClass }
          : { provide: port, useExisting: original(port) };
      }),
      exports: [...ports],
    };
  }
}
