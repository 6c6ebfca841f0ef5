import { type Abstract, type DynamicModule, Module, type Type } from '@nestjs/common';
import { Lifecycle } from '../lifecycle/lifecycle';
import { UnitOfWork } from '../database/unit-of-work';
import { OVERRIDABLE_PORTS } from '../plugins/overridable-ports';
import { EMBEDDED_OPTIONS, EmbeddedService, type EmbeddedServiceOptions } from './embedded-service';

const PORTS: readonly (Type | Abstract<unknown>)[] = [...OVERRIDABLE_PORTS, Lifecycle, UnitOfWork];

/**
 * The service inside of another Nest application, on Express. It stays an application of its own, below a path of the host: its guards,
 * pipes, filters, envelope and rules for bodies apply to its own routes only, and those of the host to the host's. The host injects
 * the ports. What it calls through them has no API key to limit it: the host decides who may do what.
 *
 * @public
 */
@Module({})
export class RelayerServiceModule {
  /** @throws ConfigurationError as {@link createRelayerService}, when the host is created */
  static register(options: EmbeddedServiceOptions): DynamicModule {
    return {
      module: RelayerServiceModule,
      providers: [
        { provide: EMBEDDED_OPTIONS, useValue: options },
        EmbeddedService.provider,
        ...PORTS.map((port) => ({
          provide: port,
          inject: [EmbeddedService],
          useFactory: (service: EmbeddedService): unknown => service.get<unknown>(port),
        })),
      ],
      exports: [...PORTS],
    };
  }
}
