import { type Abstract, type DynamicModule, Module, type Type } from '@nestjs/common';
import { Lifecycle } from '../lifecycle/lifecycle';
import { UnitOfWork } from '../database/unit-of-work';
import { OVERRIDABLE_PORTS } from '../plugins/overridable-ports';
import { EMBEDDED_OPTIONS, EmbeddedService, type EmbeddedServiceOptions } from './embedded-service';

const PORTS: readonly (Type | Abstract<unknown>)[] = [...OVERRIDABLE_PORTS, Lifecycle, UnitOfWork];

/**
 * The service inside another Nest application that uses Express. It remains a separate application, below a path of the
 * host: its guards, pipes, filters, envelope and body rules apply only to its own routes, and those of the host only to
 * the host's. The host can inject the ports. Calls through them are not limited by any API key: the host decides who
 * may do what.
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
