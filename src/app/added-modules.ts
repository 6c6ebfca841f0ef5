import { SERVICE_VERSION } from '../common/service-version';
import { type Plugins, readPlugins, type ServiceModule } from '../plugins/plugins';
import { ENTITIES } from './entities';

/**
 * Reads the additions that the given modules make to the service. @throws ConfigurationError with all faults in the
 * plugins among them
 */
export const readAddedModules = (modules: readonly ServiceModule[]): Plugins =>
  readPlugins(modules, { version: SERVICE_VERSION, entities: ENTITIES });
