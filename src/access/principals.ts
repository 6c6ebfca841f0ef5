import type { Eventually } from '../common/event-loop/eventually';
import type { Principal } from './principal';

/** Finds principals, for work that is done after the request that caused it. */
export abstract class Principals {
  /** A principal with its current rights; undefined if it may no longer make requests. */
  abstract find(id: string): Eventually<Principal | undefined>;
}
