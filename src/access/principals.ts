import type { Eventually } from '../common/event-loop/eventually';
import type { Principal } from './principal';

/** The principals that there are, for work that is done later than the request for it. */
export abstract class Principals {
  /** A principal with its rights as they are now; undefined where it may make no requests any more. */
  abstract find(id: string): Eventually<Principal | undefined>;
}
