import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects all garbage immediately. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Runs something while garbage is collected repeatedly. */
export async function collecting<T>(run: () => Promise<T>): Promise<T> {
  const timer = setInterval(collectGarbage, 10);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}
