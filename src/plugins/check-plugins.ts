import type { Type } from '@nestjs/common';
import { satisfies, validRange } from 'semver';
import { getMetadataArgsStorage } from 'typeorm';
import { AUDIT_ORIGINS } from '../audit/audit-origin';
import { ConfigurationError } from '../config/configuration-error';
import { OVERRIDABLE_PORTS } from './overridable-ports';
import { migrationsTableOf, PLUGIN_NAME, tablePrefixOf } from './plugin-names';
import type { RelayerPluginOptions } from './relayer-plugin.decorator';

/** The service to which plugins are added. */
export interface Service {
  version: string;
  /** The service's own tables. */
  entities: readonly Type[];
}

/** The size of the column `deliveries.event`. */
const MAX_EVENT_LENGTH = 32;
const MAX_SCOPE_LENGTH = 64;
/** Shorter than the column `audit_events.action`. */
const MAX_ACTION_LENGTH = 48;
const SCOPE_END = /^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/;
const EVENT_END = /^[a-z][a-z0-9_]*$/;
const ACTION_END = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;
/** TypeORM orders migrations by the timestamp at the end of their names. */
const MIGRATION_NAME = /^[A-Za-z]\w*?\d{13}$/;

/**
 * Checks the declarations of plugins against the service and against each other.
 *
 * @param further faults that were found elsewhere
 * @throws ConfigurationError with a sentence for each fault
 */
export function checkPlugins(
  plugins: readonly RelayerPluginOptions[],
  service: Service,
  further: readonly string[] = [],
): void {
  const faults = [
    ...plugins.flatMap((plugin) => faultsOf(plugin, service)),
    ...conflictsOf(plugins),
    ...further,
  ];
  if (faults.length > 0) throw new ConfigurationError(faults);
}

function faultsOf(plugin: RelayerPluginOptions, { version, entities }: Service): string[] {
  const { name } = plugin;
  if (!PLUGIN_NAME.test(name))
    return [`The plugin name ${JSON.stringify(name)} must be 2 to 20 lower-case letters, digits and dashes`];
  const faults = [
    ...compatibilityFaults(plugin, version),
    ...nameFaults(name, entities),
    ...tableFaults(plugin),
    ...migrationFaults(plugin),
    ...overrideFaults(plugin),
    ...(plugin.scopes ?? [])
      .filter((scope) => !isOwn(name, scope, SCOPE_END, MAX_SCOPE_LENGTH))
      .map((scope) => `declares the scope ${scope}, which must have the form ${name}.<what>:<right>`),
    ...(plugin.events ?? [])
      .filter((event) => !isOwn(name, event, EVENT_END, MAX_EVENT_LENGTH))
      .map(
        (event) =>
          `declares the event ${event}, which must have the form ${name}.<event> and at most ${MAX_EVENT_LENGTH} characters`,
      ),
    ...actionFaults(plugin),
  ];
  return faults.map((fault) => `The plugin ${name} ${fault}`);
}

function overrideFaults({ overrides = [] }: RelayerPluginOptions): string[] {
  return overrides.flatMap(({ port, useClass }) => {
    if (!OVERRIDABLE_PORTS.some((known) => known === port))
      return [`overrides ${port.name}, which is not a port that can be overridden`];
    const isImplementation = useClass.prototype instanceof port;
    return isImplementation ? [] : [`overrides ${port.name} with ${useClass.name}, which does not extend it`];
  });
}

function actionFaults({ name, actions = [] }: RelayerPluginOptions): string[] {
  if (actions.length > 0 && AUDIT_ORIGINS.some((origin) => origin === name))
    return ['needs another name to declare actions, since those of the service begin like its own'];
  return actions
    .filter((action) => !isOwn(name, action, ACTION_END, MAX_ACTION_LENGTH))
    .map(
      (action) =>
        `declares the action ${action}, which must have the form ${name}.<what>.<verb> and at most ${MAX_ACTION_LENGTH} characters`,
    );
}

function compatibilityFaults({ compatibility }: RelayerPluginOptions, version: string): string[] {
  if (validRange(compatibility) === null)
    return [`states its compatibility as ${JSON.stringify(compatibility)}, which is not a version range`];
  // A prerelease of 1.2.0 satisfies `^1`, although npm's rules would refuse it.
  if (satisfies(version, compatibility, { includePrerelease: true })) return [];
  return [`works with version ${compatibility} of the service, and this is ${version}`];
}

/** The name must not be a prefix of the service's tables, nor of the tables that record the migrations of plugins. */
function nameFaults(name: string, entities: readonly Type[]): string[] {
  const taken = [...entities.map(tableOf), migrationsTableOf('')];
  return taken
    .filter((table) => table?.startsWith(tablePrefixOf(name)))
    .map((table) => `needs another name, since the service has ${table ?? ''}`);
}

function tableFaults({ name, entities = [], sealedColumns = [] }: RelayerPluginOptions): string[] {
  const prefix = tablePrefixOf(name);
  const tables = entities.map(tableOf);
  return [
    ...tables
      .filter((table) => !table?.startsWith(prefix))
      .map((table) => `has the table ${table ?? '(unnamed)'}, whose name must begin with ${prefix}`),
    ...sealedColumns
      .filter(({ table }) => !tables.includes(table))
      .map(({ table, column }) => `seals ${table}.${column}, which is not a column of its tables`),
    ...sealedColumns
      .filter((column) => 'boundTo' in column || 'plainBefore' in column)
      .map(({ table, column }) => `declares more of ${table}.${column} than its table and column`),
  ];
}

function migrationFaults({ migrations = [] }: RelayerPluginOptions): string[] {
  const names = migrations.map((migration) => migration.name);
  return [
    ...names
      .filter((name) => !MIGRATION_NAME.test(name))
      .map(
        (name) => `has the migration ${name}, whose name must end with 13 digits: its time in milliseconds`,
      ),
    ...names
      .filter((name, i) => i > 0 && name.slice(-13) <= (names[i - 1] ?? '').slice(-13))
      .map((name) => `lists the migration ${name} after a later one`),
  ];
}

function conflictsOf(plugins: readonly RelayerPluginOptions[]): string[] {
  const names = plugins.map(({ name }) => name);
  const ports = plugins.flatMap(({ overrides = [] }) => overrides.map(({ port }) => port));
  return [
    ...repeated(names).map((name) => `There are two plugins of the name ${name}`),
    // The table prefix of `acme` would also match the tables of `acme-ledger`.
    ...names.flatMap((name) =>
      names
        .filter((other) => other !== name && tablePrefixOf(other).startsWith(tablePrefixOf(name)))
        .map((other) => `The tables of the plugins ${name} and ${other} could have the same names`),
    ),
    ...repeated(ports).map((port) => `Two plugins override ${port.name}`),
  ];
}

const repeated = <T>(values: readonly T[]): T[] => [
  ...new Set(values.filter((value, i) => values.indexOf(value) < i)),
];

const isOwn = (plugin: string, text: string, end: RegExp, maxLength: number): boolean =>
  text.startsWith(`${plugin}.`) && text.length <= maxLength && end.test(text.slice(plugin.length + 1));

const tableOf = (entity: unknown): string | undefined =>
  getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;
