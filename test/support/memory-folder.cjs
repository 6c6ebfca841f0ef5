const { readFileSync, statfsSync } = require('node:fs');

const FOLDER = '/dev/shm';
/** What the databases of a whole run take, several times over. */
const NEEDED_BYTES = 4 * 2 ** 30;

/**
 * Has temporary files of tests in memory, where there is room and programs may be run from it: tests flush many thousand commits to
 * the disk, and none of them is about a power failure. `TMPDIR` decides where it is set.
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
    // Not Linux.
  }
}

module.exports = { useMemory };
