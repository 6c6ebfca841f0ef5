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

/**
 * The only argument of a command, or undefined if there is none. @throws ConfigurationError with its usage if there are
 * more, or options
 */
export function optionalArgument(usage: string): string | undefined {
  const { positionals } = orUsage(usage, () => parseArgs({ options: {}, allowPositionals: true }));
  if (positionals.length > 1) throw new ConfigurationError([usage]);
  return positionals[0];
}

/** Checks that a command has no arguments. @throws ConfigurationError with its usage */
export function noArguments(usage: string): void {
  orUsage(usage, () => parseArgs({ options: {} }));
}
