import type { EndpointError, EndpointFailure } from './endpoint-error';
import type { InternalCall } from './internal-call';

/**
 * What follows a failure: nothing, a rest, or a probe, after which the endpoint rests only if that fails as well. A
 * `brief` rest does not make later rests longer.
 */
export type Consequence = 'none' | 'probe' | 'brief' | 'rest';

/** Failures that cannot be due to the call: it was not sent, or further calls would be refused as well. */
const WHATEVER_THE_CALL: ReadonlySet<EndpointFailure> = new Set([
  'refused',
  'dns',
  'tls',
  'rate_limited',
  'wrong_chain',
  'interrupted',
]);

/**
 * This process had no memory left for the large response. The endpoint is not at fault, but others are preferred for a
 * moment.
 */
const afterOwnCall = ({ failure }: EndpointError): Consequence =>
  failure === 'overloaded' ? 'brief' : 'rest';

/**
 * What follows a failure of a call of a client, who chooses the size and the cost of the call and of its response.
 * Gateways and firewalls refuse calls that they do not like with any status, or close the connection.
 */
export const afterForwarded = ({ failure }: EndpointError): Consequence =>
  WHATEVER_THE_CALL.has(failure) ? 'rest' : 'probe';

/**
 * What follows a failure of calls of the service.
 *
 * If a contract determines the size of a response, every endpoint would respond with as much, again and again. If it
 * determines the time, a single client could make the endpoints rest for everyone, so they are only probed. A result that
 * is not in the expected form is a fault of the node in any case.
 */
export const afterCalls =
  (calls: readonly InternalCall[]) =>
  (error: EndpointError): Consequence => {
    if (error.failure === 'too_large' && calls.some((call) => call.isSizedByContract)) return 'none';
    const isOfClient = calls.some((call) => call.isTimedByContract) && error.failure !== 'malformed';
    return isOfClient ? afterForwarded(error) : afterOwnCall(error);
  };
