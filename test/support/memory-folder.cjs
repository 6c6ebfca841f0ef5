const { readFileSync, statfsSync } = require('node:fs');

const FOLDER = '/dev/shm';
/** Several times the space that the databases of a whole run take. */
const NEEDED_BYTES = 4 * 2 ** 30;

/**
 * Puts the tests' temporary files into memory, if there is enough room and programs may be run from there: tests flush
 * many thousand commits to disk, but none of them is about power failures. `TMPDIR` takes precedence if it is set.
 */
function useMemory() {
  if (process.env.TMPDIR) return;
  try {
    const mount = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === FOLDER);
    const { bavail, bsize } = statfsSync(FOLDER);
    if (mount?.startsWith('tmpfs') && !/\bnoexec\b/.test(mount) && bavail * bsize >= NEEDED_BYTES)
      process.env.TMPDIR = FOLDER;
  } catch {
    // This is not Linux.
  }
}

module.exports = { useMemory };
