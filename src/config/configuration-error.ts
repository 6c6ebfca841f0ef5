/** The service cannot start with its configuration: one line per fault, with the variable's name and never its value. */
export class ConfigurationError extends Error {
  constructor(readonly faults: string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigurationError';
  }
}
