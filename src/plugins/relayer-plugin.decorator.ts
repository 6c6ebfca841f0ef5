import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import type { PluginScope } from '../access/scopes';
import type { PortOverride } from '../common/ports/ports.module';
import type { PluginEvent } from '../notifications/events/notification-event';
import type { SealedColumn } from '../secrets/secret-cipher';

/**
 * The declaration of a plugin. All of it is checked before the service starts.
 *
 * @public
 */
export interface RelayerPluginOptions {
  /**
   * 2 to 20 lower-case letters, digits and dashes, such as `acme-ledger`: the namespace of everything below. It is part of stored
   * names, so it stays as it is.
   */
  name: string;
  /** The versions of the service that it works with, as a range of npm: `^1`. */
  compatibility: string;
  /** Its tables, whose names begin with the plugin's: `acme_ledger_entries`. */
  entities?: readonly Type[];
  /**
   * In their order; each class name ends with its time in milliseconds. They run after the service's, and are recorded in a table of
   * their own.
   */
  migrations?: readonly Type<MigrationInterface>[];
  /** Columns of its tables that hold secrets, for `SecretCipher`. Rotation of the storage keys covers them. */
  sealedColumns?: readonly Pick<SealedColumn, 'table' | 'column'>[];
  /** Scopes that API keys can be given: `acme-ledger.entries:read`. */
  scopes?: readonly PluginScope[];
  /** Events that notifications can name: `acme-ledger.entry_booked`, at most 32 characters. */
  events?: readonly PluginEvent[];
  /** Ports of the service that the plugin overrides; at most one plugin for each port. */
  overrides?: readonly PortOverride[];
}

const METADATA = 'relayer:plugin';

/**
 * Marks a Nest module as a plugin of the service; use it together with `@Module()`.
 *
 * @public
 */
export const RelayerPlugin =
  (options: RelayerPluginOptions): ClassDecorator =>
  (target) => {
    Reflect.defineMetadata(METADATA, options, target);
  };

/** Undefined for a module that is not a plugin. */
export const pluginOptionsOf = (module: object): RelayerPluginOptions | undefined =>
  Reflect.getMetadata(METADATA, module) as RelayerPluginOptions | undefined;
