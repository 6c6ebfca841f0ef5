import { Logger } from '@nestjs/common';
import { type Environment, isProduction } from '../config/env-file';

/**
 * In production, prevents SIGUSR1 from opening Node's inspector, through which anyone on the machine can read the
 * memory of the process. With a handler, the signal has no other effect. In Node 22.14 and later, `--disable-sigusr1`
 * has the same effect from the very beginning.
 */
export function keepInspectorClosed(environment: Environment): void {
  if (!isProduction(environment)) return;
  process.on('SIGUSR1', () => {
    new Logger('Main').warn('SIGUSR1 was ignored: the inspector stays closed in production');
  });
}
