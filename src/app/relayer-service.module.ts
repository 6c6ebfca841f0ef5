import {
  type Abstract,
  type DynamicModule,
  type FactoryProvider,
  Module,
  type ModuleMetadata,
  type Provider,
  type Type,
} from '@nestjs/common';
import { AuditApi } from '../audit/audit.api';
import { Lifecycle } from '../lifecycle/lifecycle';
import { UnitOfWork } from '../database/unit-of-work';
import { OVERRIDABLE_PORTS } from '../plugins/overridable-ports';
import { EMBEDDED_OPTIONS, EmbeddedService, type EmbeddedServiceOptions } from './embedded-service';

const PORTS: readonly (Type | Abstract<unknown>)[] = [...OVERRIDABLE_PORTS, AuditApi, Lifecycle, UnitOfWork];

interface VisibilityOptions {
  /** Whether all modules of the host can inject the ports, without importing this module; false by default. */
  isGlobal?: boolean | undefined;
}

/** @public */
export interface EmbeddedServiceAsyncOptions
  extends
    VisibilityOptions,
    Pick<ModuleMetadata, 'imports'>,
    Pick<FactoryProvider<EmbeddedServiceOptions>, 'inject' | 'useFactory'> {}

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
  static register({ isGlobal, ...options }: EmbeddedServiceOptions & VisibilityOptions): DynamicModule {
    return this.moduleOf({ isGlobal }, { provide: EMBEDDED_OPTIONS, useValue: options });
  }

  /** As {@link register}, with options from a factory: for example from a configuration service of the host. */
  static registerAsync({
    isGlobal,
    imports,
    inject,
    useFactory,
  }: EmbeddedServiceAsyncOptions): DynamicModule {
    const options = { provide: EMBEDDED_OPTIONS, useFactory, ...(inject && { inject }) };
    return this.moduleOf({ isGlobal }, options, imports);
  }

  private static moduleOf(
    { isGlobal = false }: VisibilityOptions,
    options: Provider,
    imports: ModuleMetadata['imports'] = [],
  ): DynamicModule {
    return {
      module: RelayerServiceModule,
      global: isGlobal,
      imports,
      providers: [
        options,
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
