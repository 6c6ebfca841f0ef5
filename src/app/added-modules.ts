import { SERVICE_VERSION } from '../common/service-version';
import { type Plugins, readPlugins, type ServiceModule } from '../plugins/plugins';
import { ENTITIES } from './entities';

/** What modules add to this service. @throws ConfigurationError with every fault of plugins among them */
export const readAddedModules = (modules: readonly ServiceModule[]): Plugins =>
  readPlugins(modules, { version: SERVICE_VERSION, entities: ENTITIES });
