import type { DynamicModule, Type } from '@nestjs/common';
import { registerScopes } from '../access/scopes';
import { registerActions } from '../audit/plugin-actions';
import type { PortOverride } from '../common/ports/ports.module';
import { ConfigurationError } from '../config/configuration-error';
import type { MigrationSet } from '../database/migrate';
import { registerEvents } from '../notifications/events/notification-event';
import type { SealedColumn } from '../secrets/secret-cipher';
import { checkPlugins, type Service } from './check-plugins';
import { shapeFaults } from './declaration-shape';
import { HOOKS, methodsOf } from './hooks';
import { importedPluginFaults } from './imported-plugins';
import { migrationsTableOf } from './plugin-names';
import { pluginOptionsOf, type RelayerPluginOptions } from './relayer-plugin.decorator';

/** A module that is added to the service: a plugin, or any other Nest module. @public */
export type ServiceModule = Type | DynamicModule;

/** The checked additions of all plugins. */
export interface Plugins {
  readonly names: readonly string[];
  readonly modules: readonly ServiceModule[];
  readonly entities: readonly Type[];
  readonly sealedColumns: readonly SealedColumn[];
  readonly migrations: readonly MigrationSet[];
  readonly overrides: readonly PortOverride[];
}

export const NO_PLUGINS: Plugins = {
  names: [],
  modules: [],
  entities: [],
  sealedColumns: [],
  migrations: [],
  overrides: [],
};

/**
 * Reads and checks the declarations of the plugins among the modules, and registers their scopes, events and actions in
 * this process.
 *
 * @throws ConfigurationError with all faults at once
 */
export function readPlugins(modules: readonly ServiceModule[], service: Service): Plugins {
  if (!Array.isArray(modules)) refuse(['modules must be a list of modules']);
  refuse(modules.flatMap(moduleFaults));
  const plugins = modules.map(optionsOf).filter((options) => options !== undefined);
  refuse(plugins.flatMap(shapeFaults));
  checkPlugins(plugins, service, importedPluginFaults(modules));
  for (const { scopes = [], events = [], actions = [] } of plugins) {
    registerScopes(scopes);
    registerEvents(events);
    registerActions(actions);
  }
  return {
    names: plugins.map(({ name }) => name),
    modules,
    entities: plugins.flatMap(({ entities = [] }) => entities),
    sealedColumns: plugins.flatMap(({ sealedColumns = [] }) => sealedColumns),
    migrations: plugins
      .filter(({ migrations = [] }) => migrations.length > 0)
      .map(({ name, migrations = [] }) => ({
        owner: `the plugin ${name}`,
        table: migrationsTableOf(name),
        migrations,
      })),
    overrides: plugins.flatMap(({ overrides = [] }) => overrides),
  };
}

/** Of two files that import each other, the one that is loaded first sees the classes of the other as undefined. */
function moduleFaults(module: unknown, i: number): string[] {
  const isDynamic = typeof module === 'object' && module !== null && 'module' in module;
  const metatype = isDynamic ? module.module : module;
  if (typeof metatype !== 'function') return [`Number ${i + 1} of the modules to add is not a module`];
  return isDynamic || declaresSomething(metatype)
    ? []
    : [`${metatype.name} adds nothing to the service: it needs @Module(), with what the module consists of`];
}

/**
 * Whether a class is a module, or at least may be one: `@Module({})` leaves no trace. Such a module only does something
 * in its constructor, which Nest gives parameters by their types, or in a method that Nest calls.
 */
const declaresSomething = (metatype: object): boolean =>
  Reflect.getMetadataKeys(metatype).length > 0 || methodsOf(metatype, [...HOOKS, 'configure']).length > 0;

function refuse(faults: string[]): void {
  if (faults.length > 0) throw new ConfigurationError(faults);
}

const optionsOf = (module: ServiceModule): RelayerPluginOptions | undefined =>
  pluginOptionsOf('module' in module ? module.module : module);
