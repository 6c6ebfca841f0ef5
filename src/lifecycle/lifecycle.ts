import { HttpException, Injectable, Logger } from '@nestjs/common';
import { within } from '../common/event-loop/within';
import { forbidden, unavailable } from '../common/errors/domain-error';
import { causeOf } from '../common/errors/error-cause';
import { getOrCreate } from '../common/get-or-create';
import type { LifecycleEvents } from './lifecycle-events';

/** How long all listeners of a `before` event together may delay the operation. @limit Plugins */
const LISTENER_TIMEOUT_MS = 5_000;

type Name = keyof LifecycleEvents;
type Listener<E extends Name> = (event: LifecycleEvents[E]) => unknown;

/**
 * Notifies plugins of events in this process. Nothing is stored, so events are lost if the instance is killed. An event
 * that must not be lost should be recorded for notifications with `NotificationsApi.record`.
 *
 * @public
 */
@Injectable()
export class Lifecycle {
  private readonly logger = new Logger(Lifecycle.name);
  private readonly listeners = new Map<Name, Listener<never>[]>();

  /**
   * Adds a listener. Should be called when the plugin starts (`onModuleInit`). The listeners of an event are called in
   * the order in which they were added, each awaited before the next. If a listener of a `before` event throws, the
   * operation is refused: a `DomainError` becomes the response, an exception of Nest with a status of 4xx becomes 403
   * with its message, and any other error becomes a 500. All listeners together
   * have 5 seconds, after which the operation is refused with 503. Nothing waits for listeners of an `after` event, and
   * their errors are logged.
   */
  on<E extends keyof LifecycleEvents>(event: E, listener: (event: LifecycleEvents[E]) => unknown): void {
    getOrCreate(this.listeners, event, () => []).push(listener);
  }

  /**
   * Returns undefined without listeners, so that the caller has nothing to await.
   *
   * @internal
   * @param describe is called only if there are listeners
   * @throws DomainError of a listener, or `unavailable` if they take too long, by the promise
   */
  before<E extends 'signature.before' | 'transaction.before'>(
    event: E,
    describe: () => LifecycleEvents[E],
  ): Promise<void> | undefined {
    const listeners = this.listenersOf(event);
    return listeners && limited(callAll(listeners, describe()).catch(refused));
  }

  /** @internal @param describe is called only if there are listeners */
  after<E extends 'signature.after' | 'transaction.after'>(
    event: E,
    describe: () => LifecycleEvents[E],
  ): void {
    const listeners = this.listenersOf(event);
    if (!listeners) return;
    callAll(listeners, describe()).catch((error: unknown) => {
      this.logger.error('A listener of a plugin failed', { event, cause: causeOf(error) });
    });
  }

  private listenersOf<E extends Name>(event: E): readonly Listener<E>[] | undefined {
    return this.listeners.get(event) as readonly Listener<E>[] | undefined;
  }
}

async function callAll<E extends Name>(
  listeners: readonly Listener<E>[],
  event: LifecycleEvents[E],
): Promise<void> {
  for (const listener of listeners) await listener(event);
}

/** A refusal by a plugin is in the audit log, whereas requests that are not valid are not. */
function refused(error: unknown): never {
  if (error instanceof HttpException && error.getStatus() < 500) throw forbidden(error.message);
  throw error;
}

const limited = (calls: Promise<void>): Promise<void> =>
  within(LISTENER_TIMEOUT_MS, calls, () => {
    throw unavailable('a plugin took too long');
  });
