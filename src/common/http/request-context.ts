import { ContextVariable } from '../context/context-variable';
import type { Metadata } from '../envelope/envelope';

/** What belongs to the request being served, wherever in the code it is asked for. */
export interface RequestContext {
  readonly id: string;
  notes: Metadata['logs'] | undefined;
  /** Whose allowance pays for the request; undefined where it is not limited. */
  rateLimitKey: string | undefined;
  /** Whether the answer was sent, or the caller has gone: what is still computed is for nobody. */
  isOver: boolean;
}

const requestInProgress = new ContextVariable<RequestContext | undefined>();

export function runWithRequest(id: string, serve: () => void): void {
  requestInProgress.run({ id, notes: undefined, rateLimitKey: undefined, isOver: false }, serve);
}

/** Does work that goes on when the request that began it is over, for others wait for it too. */
export function outsideRequests<T>(work: () => T): T {
  return requestInProgress.run(undefined, work);
}

/** Undefined outside a request, as at start and in timers. */
export function currentRequest(): RequestContext | undefined {
  return requestInProgress.get();
}

/** Tells the caller something about a request that succeeded; it is answered as `metadata.logs`. */
export function recordNote(level: 'info' | 'warn', message: string): void {
  const context = requestInProgress.get();
  if (context) (context.notes ??= []).push({ level, message });
}

export function recordedMetadata(): Metadata | undefined {
  const notes = requestInProgress.get()?.notes;
  return notes && { logs: notes, traces: [] };
}
