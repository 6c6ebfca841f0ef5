import { Logger } from '@nestjs/common';
import { ConfigurationError } from '../config/configuration-error';

/** Writes lines to standard output and standard error. */
export const consoleOutput = {
  say: (line: string): void => void process.stdout.write(`${line}\n`),
  complain: (line: string): void => void process.stderr.write(`${line}\n`),
};

/**
 * Runs a command and sets the exit code of the process: 0 if it resolves to true, else 1.
 *
 * @param name for the log if it fails
 * @param command gets a signal that SIGTERM and SIGINT abort; throwing the signal's reason does not count as a failure
 */
export function runCommand(name: string, command: (stop: AbortSignal) => Promise<boolean>): void {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      stop.abort();
    });
  Promise.resolve()
    .then(() => command(stop.signal))
    .then((complete) => {
      process.exitCode = complete ? 0 : 1;
    })
    .catch((error: unknown) => {
      process.exitCode = 1;
      if (error instanceof ConfigurationError) consoleOutput.complain(error.message);
      else if (stop.signal.aborted && error === stop.signal.reason)
        consoleOutput.complain('Stopped before the end');
      else new Logger(name).fatal(`${name} failed`, { cause: error instanceof Error ? error.stack : error });
    });
}
