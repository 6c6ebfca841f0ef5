/** The service cannot start as it is configured: one line per fault, each naming its variable and never its value. */
export class ConfigurationError extends Error {
  constructor(readonly faults: string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigurationError';
  }
}
