import type { LoggerService } from '@nestjs/common';

/** A deprecation, an experimental feature, or what a package reports with `process.emitWarning`. */
interface ProcessWarning extends Error {
  /** For example `DEP0169`. */
  code?: string;
}

/**
 * Logs the warnings of Node and of packages as lines like all others, instead of as text on stderr. With `--no-warnings`
 * they stay silent.
 */
export function logProcessWarnings(logger: Pick<LoggerService, 'warn'>): void {
  if (process.listenerCount('warning') === 0) return;
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message, code }: ProcessWarning) => {
    logger.warn(message, { warning: name, ...(code !== undefined && { code }) }, 'Node');
  });
}
