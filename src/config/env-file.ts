import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { matchAt } from '../common/validation/match-at';
import { ConfigurationError } from './configuration-error';

const NO_VARIABLE = 'is not NAME=value';
const AMBIGUOUS_VALUE =
  'has an ambiguous value: one with # needs quotes, which must end before a comment or a line NAME=value';

export type Environment = Readonly<Record<string, string | undefined>>;

const FILE = '.env';
const BLANK_OR_COMMENT = /[ \t]*(?:#[^\n]*)?(?:\n|$)/y;
const NAME = String.raw` *(?:export )?[A-Za-z_]\w* *= *`;
/** May contain line breaks, but not the line of another variable, for which a closing quote may have been forgotten. */
const QUOTED = String.raw`(["'\`])(?:(?!\1|\n${NAME}(?!\1)[^\s=])[^])*\1`;
const UNQUOTED = String.raw`(?:[^\s"'\`#][^\n#]*?)?`;
const START_OF_VARIABLE = new RegExp(NAME, 'y');
const VARIABLE = new RegExp(
  String.raw`${NAME}(?:${QUOTED}|${UNQUOTED})(?:[ \t]+#[^\n]*|[ \t]*)(?:\n|$)`,
  'y',
);

/**
 * The variables in `.env` in the working directory; empty if there is no such file. @throws ConfigurationError if it
 * cannot be read, if a line has no name or no value, or if a part of a value would be lost
 */
export function readEnvFile(): Environment {
  if (!existsSync(FILE)) return {};
  return parseVariables(readText());
}

function readText(): string {
  try {
    return readFileSync(FILE, 'utf8')
      .replace(/^\uFEFF/, '')
      .replaceAll('\r', '');
  } catch {
    throw new ConfigurationError([`${FILE} cannot be read`]);
  }
}

/**
 * Parses one variable at a time: `parseEnv` takes a line without `=` for a part of the next name, and drops what follows
 * a `#` in a value without quotes, or a closing quote. So a setting, or a part of it, would be lost without a word.
 */
function parseVariables(text: string): Environment {
  const variables: Record<string, string | undefined> = {};
  let start = 0;
  while (start < text.length) {
    const variable = matchAt(VARIABLE, text, start);
    const length = variable?.length ?? matchAt(BLANK_OR_COMMENT, text, start)?.length;
    if (length === undefined) {
      const line = text.slice(0, start).split('\n').length;
      const fault = matchAt(START_OF_VARIABLE, text, start) === undefined ? NO_VARIABLE : AMBIGUOUS_VALUE;
      throw new ConfigurationError([`${FILE} line ${line} ${fault}`]);
    }
    if (variable !== undefined) Object.assign(variables, parseEnv(variable));
    start += length;
  }
  return variables;
}

/** Adds the variables in `.env` that are absent or blank in `process.env`, and returns that. */
export function processEnvironment(): Environment {
  for (const [name, value] of Object.entries(readEnvFile()))
    if (!process.env[name]?.trim()) process.env[name] = value;
  return process.env;
}

/**
 * Whether the service runs in production. Like other settings, the value is case-insensitive and may be surrounded by
 * white space.
 */
export const isProduction = ({ NODE_ENV }: Environment): boolean =>
  NODE_ENV?.trim().toLowerCase() === 'production';

/** The names of variables with a value in the process environment, which `.env` does not override. */
export function presetVariables(): ReadonlySet<string> {
  return new Set(Object.keys(process.env).filter((name) => process.env[name]?.trim()));
}
