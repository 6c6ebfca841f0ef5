import { Logger } from '@nestjs/common';

let isLogging = false;

/**
 * Logs an error that nothing has caught, as a line like all others and without secrets, and ends the process as Node
 * would. A program with its own listener decides itself whether the process ends.
 */
export function logUncaughtErrors(): void {
  if (isLogging) return;
  isLogging = true;
  process.on('uncaughtException', (error: unknown, origin) => {
    const cause = error instanceof Error ? error.stack : String(error);
    new Logger('Main').fatal('An error was not caught', { origin, cause });
    if (process.listenerCount('uncaughtException') === 1) process.exit(1);
  });
}
