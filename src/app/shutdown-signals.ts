import { type INestApplication, Logger, ShutdownSignal } from '@nestjs/common';
import type { AppConfig } from '../config/app-config';

/** The signals that end the service. */
export const SHUTDOWN_SIGNALS: ShutdownSignal[] = [ShutdownSignal.SIGTERM, ShutdownSignal.SIGINT];

/** For closing pools and keys after the last request. */
const CLOSING_MS = 5_000;

const exit = (): void => process.exit(0);

/** Has signals end the process at once: the first process of a container ignores those that it does not handle, also while it starts. */
export function exitOnSignals(): void {
  for (const signal of SHUTDOWN_SIGNALS) process.once(signal, exit);
}

/** Takes {@link exitOnSignals} back. */
export function leaveSignals(): void {
  for (const signal of SHUTDOWN_SIGNALS) process.removeListener(signal, exit);
}

/**
 * Has signals stop the application, and then the process, in a bounded time: a database or a plugin may block a stop for ever.
 *
 * @returns takes the bound back, for an application that is closed without a signal
 */
export function stopOnSignals(app: INestApplication, config: AppConfig): () => void {
  leaveSignals();
  const limit = (signal: NodeJS.Signals): void => {
    const logger = new Logger('Main');
    logger.log('Stopping', { signal });
    setTimeout(() => {
      logger.warn('Stopping took too long: connections are dropped');
      process.exit(1);
    }, longestStopMs(config)).unref();
  };
  for (const signal of SHUTDOWN_SIGNALS) process.once(signal, limit);
  app.enableShutdownHooks(SHUTDOWN_SIGNALS, { useProcessExit: true });
  return () => {
    for (const signal of SHUTDOWN_SIGNALS) process.removeListener(signal, limit);
  };
}

/** How long a stop may take. */
export const longestStopMs = ({ http }: AppConfig): number => http.shutdownTimeoutMs + CLOSING_MS;
