/**
 * The settings of the service by name, as in `docs/reference/settings.md`: `{ DATABASE_URL: 'mysql://…', … }`.
 *
 * @public
 */
export type RelayerServiceConfig = Readonly<Record<string, string | undefined>>;
