import { parseArgs } from 'node:util';
import { ConfigurationError } from '../config/configuration-error';

/** The result of parsing the arguments of a command. @throws ConfigurationError with its usage if they are invalid */
export function orUsage<T>(usage: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new ConfigurationError([usage]);
  }
}

/** Checks that a command has no arguments. @throws ConfigurationError with its usage */
export function noArguments(usage: string): void {
  orUsage(usage, () => parseArgs({ options: {} }));
}
