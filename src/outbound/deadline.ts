import { TimeLimit } from '../common/event-loop/time-limit';
import { type Destination, failure } from './destination';
import type { OutboundRequest } from './outbound-message';

/** Aborts a call when its timeout elapses or the caller aborts it; the signal's reason is the error. */
export const deadlineOf = (
  destination: Destination,
  { timeoutMs, signal }: Pick<OutboundRequest, 'timeoutMs' | 'signal'>,
): TimeLimit =>
  new TimeLimit(timeoutMs, signal, {
    late: () => failure('timeout', destination, `did not respond within ${timeoutMs} ms`),
    aborted: () => failure('aborted', destination, 'did not respond before the call was aborted'),
  });
