import { HttpException, Injectable, Logger } from '@nestjs/common';
import { within } from '../common/event-loop/within';
import { forbidden, unavailable } from '../common/errors/domain-error';
import { causeOf } from '../common/errors/error-cause';
import { getOrCreate } from '../common/get-or-create';
import { LIFECYCLE_EVENTS, type LifecycleEvents } from './lifecycle-events';

/** How long all listeners of a `before` event together may delay the operation. @limit Plugins */
const LISTENER_TIMEOUT_MS = 5_000;

type Name = keyof LifecycleEvents;

interface Listener<E extends Name> {
  readonly call: (event: LifecycleEvents[E]) => unknown;
  /** The line of the plugin that added it, for the log, since functions often have no name. */
  readonly addedAt: string;
}

/** The listener that was called last, for the log. */
interface Progress {
  listener?: string;
}

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
   * the order in which they were added; those of a `before` event are each awaited before the next. If one of these
   * throws, the operation is refused: a `DomainError` becomes the response, an exception of Nest with a status of 4xx
   * becomes 403 with its message, and any other error becomes a 500. All of them together have 5 seconds, after which the
   * operation is refused with 503. Nothing waits for listeners of an `after` event: their errors are logged, and so is one
   * that takes longer than 5 seconds.
   *
   * @throws Error if there is no such event, since a rule that is never called would allow everything; or if the listener
   * is not a function
   */
  on<E extends keyof LifecycleEvents>(event: E, listener: (event: LifecycleEvents[E]) => unknown): void {
    if (!Object.hasOwn(LIFECYCLE_EVENTS, event)) throw new Error(`There is no event ${event} to listen to`);
    if (typeof listener !== 'function') throw new Error(`The listener for ${event} is not a function`);
    const addedAt = placeOfCaller();
    getOrCreate(this.listeners, event, () => []).push({ call: listener, addedAt });
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
    if (!listeners) return undefined;
    const progress: Progress = {};
    const calls = callAll(listeners, describe(), progress);
    return within(LISTENER_TIMEOUT_MS, calls.catch(refused), () => {
      this.logger.warn('A listener of a plugin took too long', { event, ...progress });
      throw unavailable('a plugin took too long');
    });
  }

  /** @internal @param describe is called only if there are listeners */
  after<E extends 'signature.after' | 'transaction.after'>(
    event: E,
    describe: () => LifecycleEvents[E],
  ): void {
    const listeners = this.listenersOf(event);
    if (!listeners) return;
    const moment = describe();
    for (const listener of listeners) void this.notify(event, listener, moment);
  }

  /** One that fails or hangs must not affect the listeners of other plugins. */
  private async notify<E extends Name>(
    event: E,
    { call, addedAt }: Listener<E>,
    moment: LifecycleEvents[E],
  ): Promise<void> {
    try {
      await within(LISTENER_TIMEOUT_MS, Promise.resolve(call(moment)), () => {
        this.logger.warn('A listener of a plugin is slow', { event, listener: addedAt });
      });
    } catch (error) {
      this.logger.error('A listener of a plugin failed', {
        ...{ event, listener: addedAt, cause: causeOf(error) },
      });
    }
  }

  private listenersOf<E extends Name>(event: E): readonly Listener<E>[] | undefined {
    return this.listeners.get(event) as readonly Listener<E>[] | undefined;
  }
}

async function callAll<E extends Name>(
  listeners: readonly Listener<E>[],
  event: LifecycleEvents[E],
  progress: Progress,
): Promise<void> {
  for (const { call, addedAt } of listeners) {
    progress.listener = addedAt;
    await call(event);
  }
}

/**
 * Where the caller of this function was called, such as `NoBlindSignatures.onModuleInit (/app/dist/rules.js:14:20)`.
 */
function placeOfCaller(): string {
  // The message comes first, then this function, its caller, and the place.
  const line = new Error().stack?.split('\n')[3] ?? '';
  return line.trim().replace(/^at /, '');
}

/** A refusal by a plugin is in the audit log, whereas requests that are not valid are not. */
function refused(error: unknown): never {
  if (error instanceof HttpException && error.getStatus() < 500) throw forbidden(error.message);
  throw error;
}
