import { Logger } from '@nestjs/common';
import { ConfigurationError } from '../config/configuration-error';

/** Writes lines to standard output and standard error. */
export const consoleOutput = {
  print: (line: string): void => void process.stdout.write(`${line}\n`),
  printToStderr: (line: string): void => void process.stderr.write(`${line}\n`),
};

/**
 * Runs a command and sets the exit code of the process: 0 if it resolves to true, 1 if it resolves to false.
 *
 * @param name its name in the log if it fails
 * @param command called with a signal that SIGTERM, SIGINT and closing the output abort; throwing the signal's reason
 * does not count as a failure. A command without a parameter for the signal is ended immediately, so it must be safe to
 * kill
 * @param failed the exit code if it throws
 */
export function runCommand(name: string, command: (stop: AbortSignal) => Promise<boolean>, failed = 1): void {
  const stop = new AbortController();
  const end = (): void => {
    stop.abort();
    if (command.length > 0) return;
    complainOfStop();
    process.exit(failed);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
  process.stdout.on('error', end);
  Promise.resolve()
    .then(() => command(stop.signal))
    .then((complete) => {
      process.exitCode = complete ? 0 : 1;
    })
    .catch((error: unknown) => {
      if (error instanceof ConfigurationError) consoleOutput.printToStderr(error.message);
      else if (stop.signal.aborted && error === stop.signal.reason) complainOfStop();
      else new Logger(name).fatal(`${name} failed`, { cause: error instanceof Error ? error.stack : error });
      // A part of the service that could not start cannot be closed, and its connections would keep the process alive.
      process.exit(failed);
    });
}

const complainOfStop = (): void => {
  consoleOutput.printToStderr('Stopped before the end');
};
