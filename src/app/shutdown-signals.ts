import { type INestApplication, Logger, ShutdownSignal } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { AppConfig } from '../config/app-config';
import { Stopping } from '../lifecycle/stopping';
import { STOP_HOOKS } from '../plugins/hooks';
import { PendingHooks } from './pending-hooks';

/** The signals that end the service. */
export const SHUTDOWN_SIGNALS: ShutdownSignal[] = [ShutdownSignal.SIGTERM, ShutdownSignal.SIGINT];

/** The time for closing pools and keys after the last request. */
const CLOSING_MS = 5_000;

const exit = (): void => process.exit(0);

/**
 * Makes signals end the process immediately during startup: the first process in a container ignores signals that it
 * does not handle.
 */
export function exitOnSignals(): void {
  for (const signal of SHUTDOWN_SIGNALS) process.once(signal, exit);
}

/** Undoes {@link exitOnSignals}. */
export function cancelExitOnSignals(): void {
  for (const signal of SHUTDOWN_SIGNALS) process.removeListener(signal, exit);
}

/**
 * Makes signals stop the application, and then the process, within a time limit: a database or a plugin might block the
 * shutdown forever. The log then names the hooks of added modules that have not ended.
 *
 * @returns a function that removes the time limit, for an application that is closed without a signal
 */
export function stopOnSignals(app: INestApplication, config: AppConfig): () => void {
  cancelExitOnSignals();
  const limit = (signal: NodeJS.Signals): void => {
    const logger = new Logger('Main');
    logger.log('Stopping', { signal });
    app.get(Stopping).begin();
    const hooks = new PendingHooks(app.get(ModulesContainer), STOP_HOOKS);
    setTimeout(() => {
      logger.warn('Stopping took too long: the process exits', { hooks: hooks.names });
      process.exit(1);
    }, longestStopMs(config)).unref();
  };
  for (const signal of SHUTDOWN_SIGNALS) process.once(signal, limit);
  app.enableShutdownHooks(SHUTDOWN_SIGNALS, { useProcessExit: true });
  return () => {
    for (const signal of SHUTDOWN_SIGNALS) process.removeListener(signal, limit);
  };
}

/** The maximum duration of a shutdown. */
export const longestStopMs = ({ http }: AppConfig): number => http.shutdownTimeoutMs + CLOSING_MS;
