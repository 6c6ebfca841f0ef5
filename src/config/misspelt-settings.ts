import type { LoggerService } from '@nestjs/common';
import type { Environment } from './env-file';
import { KNOWN_NAMES, unusedNames } from './given-config';

const MAX_NAMES = 20;
/** Shorter names are similar to too many others. */
const MIN_LENGTH = 6;
const MAX_DISTANCE = 2;

/** A name in the environment that is probably meant to be that of a setting. */
export interface MisspeltSetting {
  name: string;
  meant: string;
}

/**
 * The names in the environment that have no effect, but are similar to those of settings. Other names may belong to
 * anything: the environment is not only that of this service.
 */
export function misspeltSettings(environment: Environment): MisspeltSetting[] {
  const found: MisspeltSetting[] = [];
  for (const name of unusedNames(environment)) {
    const meant = name.length < MIN_LENGTH ? undefined : similarTo(name.toUpperCase(), environment);
    if (meant !== undefined) found.push({ name, meant });
  }
  return found.slice(0, MAX_NAMES);
}

/** Logs {@link misspeltSettings}: a setting such as `APPROVALS` must not be off because of its spelling. */
export function warnOfMisspeltSettings(environment: Environment, logger: Pick<LoggerService, 'warn'>): void {
  for (const misspelt of misspeltSettings(environment))
    logger.warn(
      'A variable has no effect, but its name is similar to that of a setting',
      misspelt,
      'Settings',
    );
}

/** The known name that is most similar, unless it is set itself. */
function similarTo(name: string, environment: Environment): string | undefined {
  let [meant, least]: [string | undefined, number] = [undefined, MAX_DISTANCE + 1];
  for (const known of KNOWN_NAMES) {
    if (known.length < MIN_LENGTH || environment[known]?.trim()) continue;
    const distance = distanceBetween(name, known, least);
    if (distance < least) [meant, least] = [known, distance];
  }
  return meant;
}

/**
 * How many letters must be added, removed or replaced (Levenshtein distance), or swapped with the next one.
 *
 * @param limit a distance from which on the exact one does not matter
 */
function distanceBetween(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) >= limit) return limit;
  let [before, row]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const replaced = (row[j - 1] ?? 0) + (isSame ? 0 : 1);
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced, swapped));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
