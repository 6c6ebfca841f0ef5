/** 2 to 20 lower-case letters, digits and dashes. */
export const PLUGIN_NAME = /^[a-z][a-z0-9-]{0,18}[a-z0-9]$/;

/** The prefix of the plugin's tables: `acme_ledger_`. */
export const tablePrefixOf = (plugin: string): string => `${plugin.replaceAll('-', '_')}_`;

/** The table that records which migrations of a plugin have run. */
export const migrationsTableOf = (plugin: string): string => `migrations_${plugin.replaceAll('-', '_')}`;
