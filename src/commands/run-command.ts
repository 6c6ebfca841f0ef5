import { Logger } from '@nestjs/common';
import { allowSlowConnecting } from '../app/connect-attempts';
import { DomainError } from '../common/errors/domain-error';
import { causeOf } from '../common/errors/error-cause';
import { ConfigurationError } from '../config/configuration-error';
import { RowAlteredError } from '../database/integrity/row-altered.error';

/** Writes lines to standard output and standard error. */
export const consoleOutput = {
  print: (line: string): void => void process.stdout.write(`${line}\n`),
  printToStderr: (line: string): void => void process.stderr.write(`${line}\n`),
};

/**
 * How long the process may take to end after a signal or after the command, in milliseconds. It may be waiting for a
 * server that hangs.
 */
const LONGEST_END_MS = 2_000;

/**
 * Runs a command and sets the exit code of the process: 0 if it resolves to true, 1 if it resolves to false. Then the
 * process ends within two seconds, even if connections are still open, but not before its output is written. With
 * `--help`, only the usage is printed.
 *
 * @param name its name in the log if it fails
 * @param usage one line that begins with `Usage: `
 * @param command called with a signal that SIGTERM, SIGINT and closing the output abort; throwing the signal's reason
 * does not count as a failure. If it does not end within two seconds of the signal, or has no parameter for it, the
 * process exits in the middle of it, so it must be safe to kill
 * @param failed the exit code if it throws or is stopped
 */
export function runCommand(
  name: string,
  usage: string,
  command: (stop: AbortSignal) => Promise<boolean>,
  failed = 1,
): void {
  if (process.argv.slice(2).includes('--help')) {
    consoleOutput.print(usage);
    return;
  }
  allowSlowConnecting();
  const stop = new AbortController();
  let limit: NodeJS.Timeout | undefined;
  const exitStopped = (): void => {
    consoleOutput.printToStderr('Stopped before the end');
    process.exit(failed);
  };
  const end = (): void => {
    stop.abort();
    if (command.length === 0) exitStopped();
    else limit ??= setTimeout(exitStopped, LONGEST_END_MS);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
  process.stdout.on('error', end);
  Promise.resolve()
    .then(() => command(stop.signal))
    .then((complete) => {
      clearTimeout(limit);
      process.exitCode = complete ? 0 : 1;
      setTimeout(exitOnceWritten, LONGEST_END_MS).unref();
    })
    .catch((error: unknown) => {
      if (stop.signal.aborted && error === stop.signal.reason) exitStopped();
      report(name, error);
      // A part of the service that could not start cannot be closed, and its connections would keep the process alive.
      process.exit(failed);
    });
}

/** Pipes may be written asynchronously, and exiting would cut off what is still waiting. */
function exitOnceWritten(): void {
  process.stdout.write('', () => process.stderr.write('', () => process.exit()));
}

/** Reports a failure: in one line if it explains itself, otherwise in the log with the stack. */
function report(name: string, error: unknown): void {
  if (error instanceof ConfigurationError) consoleOutput.printToStderr(error.message);
  else if (error instanceof RowAlteredError)
    consoleOutput.printToStderr(`${causeOf(error.cause)}: see Altered rows in docs/operations/incidents.md`);
  else
    new Logger(name).fatal(`${name} failed`, {
      cause: error instanceof DomainError ? error.detail : error instanceof Error ? error.stack : error,
    });
}
