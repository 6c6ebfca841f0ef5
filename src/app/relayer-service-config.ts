/**
 * The settings of the service by name, as in `docs/reference/settings.md`: `{ DATABASE_URL: 'mysql://…', … }`. Without
 * `NODE_ENV` they are those of production, and there is a configuration file only if `CONFIG_FILE` names it.
 *
 * @public
 */
export type RelayerServiceConfig = Readonly<Record<string, string | undefined>>;
