import { statSync } from 'node:fs';
import { errorCodeOf } from '../common/errors/error-cause';
import { generatedKeyFile } from '../config/development-secrets';
import type { Environment } from '../config/env-file';
import { SECRET_VARIABLES } from '../config/forget-variables';
import { type Finding, ok, problem, warning } from './finding';

const CHECK = 'files';
const GROUP_OR_OTHERS = 0o077;
const OTHERS = 0o007;

interface SecretFile {
  path: string;
  /** Whether a platform has mounted the file. Such files belong to root and are read through a group. */
  mounted: boolean;
}

/**
 * Checks whether other users of this machine can read files with secrets. Missing files are ignored; the files of
 * SQLite are restricted at each start. A file that cannot be examined is a problem, because a start cannot read it.
 */
export function checkFiles(environment: Environment): Finding[] {
  const found: Finding[] = [];
  let checked = 0;
  for (const { path, mounted } of secretFiles(environment)) {
    const mode = modeOf(path);
    if (mode === undefined) continue;
    if (typeof mode === 'string') {
      found.push(problem(CHECK, `${path} cannot be read (${mode})`, 'Let the user of the service read it.'));
      continue;
    }
    checked += 1;
    if ((mode & (mounted ? OTHERS : GROUP_OR_OTHERS)) === 0) continue;
    const who = (mode & OTHERS) === 0 ? 'its group' : 'every user of this machine';
    const octal = (mode & 0o777).toString(8).padStart(4, '0');
    found.push(
      warning(
        CHECK,
        `${path} is open to ${who} (mode ${octal})`,
        mounted ? `Mount it with mode 0440 or stricter.` : `Run: chmod 600 ${path}`,
      ),
    );
  }
  return found.length > 0 ? found : [ok(CHECK, `${checked} with secrets, closed to other users`)];
}

function secretFiles(environment: Environment): SecretFile[] {
  const mounted = SECRET_VARIABLES.flatMap((name) => environment[`${name}_FILE`]?.trim() ?? []);
  const own = ['.env', generatedKeyFile('api-key'), generatedKeyFile('storage-encryption-key')];
  return [
    ...mounted.filter((path) => path !== '').map((path) => ({ path, mounted: true })),
    ...own.map((path) => ({ path, mounted: false })),
  ];
}

/**
 * Undefined if the file does not exist, or on Windows, where modes are meaningless; the code of the error if it is in a
 * folder that cannot be searched, for example.
 */
function modeOf(path: string): number | string | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    return statSync(path, { throwIfNoEntry: false })?.mode;
  } catch (error) {
    return errorCodeOf(error) ?? 'unknown cause';
  }
}
