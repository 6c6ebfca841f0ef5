/**
 * The service cannot start with its configuration. There is one line per fault, with the name of the variable but never
 * its value.
 */
export class ConfigurationError extends Error {
  constructor(
    readonly faults: string[],
    options?: ErrorOptions,
  ) {
    super(faults.join('\n'), options);
    this.name = 'ConfigurationError';
  }
}
