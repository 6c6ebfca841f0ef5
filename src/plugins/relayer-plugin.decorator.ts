import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import type { PluginScope } from '../access/scopes';
import type { PluginAction } from '../audit/plugin-actions';
import type { PortOverride } from '../common/ports/ports.module';
import type { PluginEvent } from '../notifications/events/notification-event';
import type { SealedColumn } from '../secrets/secret-cipher';

/**
 * The declaration of a plugin, which is checked completely before the service starts.
 *
 * @public
 */
export interface RelayerPluginOptions {
  /**
   * 2 to 20 lower-case letters, digits and dashes, for example `acme-ledger`: the namespace of everything below. It is
   * part of stored names, so it must not change.
   */
  name: string;
  /** The versions of the service with which it works, as an npm range: `^1`. */
  compatibility: string;
  /** The plugin's tables. Their names begin with the plugin's name: `acme_ledger_entries`. */
  entities?: readonly Type[];
  /**
   * The plugin's migrations, in order. Each class name ends with a timestamp in milliseconds. They run after the
   * service's own, and are recorded in a separate table.
   */
  migrations?: readonly Type<MigrationInterface>[];
  /**
   * Columns of the plugin's tables that contain secrets, for `SecretCipher`. Rotation of the storage keys includes
   * them.
   */
  sealedColumns?: readonly Pick<SealedColumn, 'table' | 'column'>[];
  /** Scopes that API keys can be granted: `acme-ledger.entries:read`. */
  scopes?: readonly PluginScope[];
  /** Events that notifications can list: `acme-ledger.entry_booked`, at most 32 characters. */
  events?: readonly PluginEvent[];
  /** Actions that the plugin records in the audit log: `acme-ledger.entry.create`, at most 48 characters. */
  actions?: readonly PluginAction[];
  /** Ports of the service that the plugin overrides. Only one plugin can override a port. */
  overrides?: readonly PortOverride[];
}

const METADATA = 'relayer:plugin';

/**
 * Marks a Nest module as a plugin of the service. Must be used together with `@Module()`.
 *
 * @public
 */
export const RelayerPlugin =
  (options: RelayerPluginOptions): ClassDecorator =>
  (target) =>
    Reflect.defineMetadata(METADATA, options, target);

/** Undefined if the module is not a plugin. */
export const pluginOptionsOf = (module: object): RelayerPluginOptions | undefined =>
  Reflect.getMetadata(METADATA, module) as RelayerPluginOptions | undefined;
