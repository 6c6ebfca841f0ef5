/** 2 to 20 lower-case letters, digits and dashes. */
export const PLUGIN_NAME = /^[a-z][a-z0-9-]{0,18}[a-z0-9]$/;

/** What the names of its tables begin with: `acme_ledger_`. */
export const tablePrefixOf = (plugin: string): string => `${plugin.replaceAll('-', '_')}_`;

/** Where the migrations of a plugin that have run are recorded. */
export const migrationsTableOf = (plugin: string): string => `migrations_${plugin.replaceAll('-', '_')}`;
