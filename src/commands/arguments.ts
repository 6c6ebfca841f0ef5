import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ConfigurationError } from '../config/configuration-error';

/**
 * Parses the arguments of a command: each option at most once.
 *
 * @throws ConfigurationError with its usage if they are invalid, and the options that are wrong
 */
export function readArguments<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  const faults = optionFaults(config);
  if (faults.length === 0) {
    try {
      return parseArgs(config);
    } catch {
      // An argument too many, for example: the usage says more than the parser's message.
    }
  }
  throw new ConfigurationError([...faults, usage]);
}

/** What is wrong with the options. It has no values, because an argument may be a secret. */
function optionFaults({ args, options = {} }: ParseArgsConfig): string[] {
  const { tokens } = parseArgs({
    ...(args && { args }),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const faults = new Set<string>();
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    const type = Object.hasOwn(options, name) ? options[name]?.type : undefined;
    if (type === undefined) faults.add(`Unknown option ${rawName}`);
    else if (given.has(name)) faults.add(`${rawName} is given twice`);
    else if (type === 'string' && value === undefined) faults.add(`${rawName} needs a value`);
    else if (type === 'boolean' && value !== undefined) faults.add(`${rawName} has no value`);
    given.add(name);
  }
  return [...faults];
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
