/**
 * The service cannot start with its configuration. There is one line per fault, with the name of the variable but never
 * its value.
 */
export class ConfigurationError extends Error {
  constructor(readonly faults: string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigurationError';
  }
}
