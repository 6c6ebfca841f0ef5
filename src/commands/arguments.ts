import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ConfigurationError } from '../config/configuration-error';

/**
 * Parses the arguments of a command: each option at most once.
 *
 * @throws ConfigurationError with its usage if they are invalid
 */
export function readArguments<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    const { tokens = [] } = parseArgs({ ...config, tokens: true });
    const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    if (new Set(given).size === given.length) return parseArgs(config);
  } catch {
    // The usage says more than the parser's message.
  }
  throw new ConfigurationError([usage]);
}

/**
 * The only argument of a command, or undefined if there is none. @throws ConfigurationError with its usage if there are
 * more, or options
 */
export function optionalArgument(usage: string): string | undefined {
  const { positionals } = readArguments(usage, { options: {}, allowPositionals: true });
  if (positionals.length > 1) throw new ConfigurationError([usage]);
  return positionals[0];
}

/** Checks that a command has no arguments. @throws ConfigurationError with its usage */
export function noArguments(usage: string): void {
  readArguments(usage, { options: {} });
}
