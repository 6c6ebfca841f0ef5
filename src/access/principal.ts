import { currentRequest, inRequest, type RequestContext, ROOT_KEY_ID } from '../common/http/request-context';
import { ALL_SCOPES, type GrantedScope, type Scope } from './scopes';

/** The authenticated caller of a request, and its rights. */
export interface Principal {
  /** Unique among all principals. Rate limits are counted per id, and the audit log records it. */
  readonly id: string;
  readonly kind: 'root' | 'api_key';
  readonly scopes: ReadonlySet<GrantedScope>;
  /** The relayers that the principal can reach; undefined for all of them. */
  readonly reach: RelayerReach | undefined;
  /** Replaces the general rate limit. */
  readonly rateLimit: { requestsPerSecond: number; burstSize: number } | undefined;
}

/** Relayers by id or by group. A relayer is reachable if either matches. */
export interface RelayerReach {
  readonly relayers: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
}

/** The holder of `API_KEY`. */
export const ROOT: Principal = {
  id: ROOT_KEY_ID,
  kind: 'root',
  scopes: new Set([ALL_SCOPES]),
  reach: undefined,
  rateLimit: undefined,
};

declare module '../common/http/request-context' {
  interface RequestContext {
    /** Set by the bearer guard. */
    principal?: Principal;
    /** When its rights were read, in milliseconds of `performance.now()`. */
    principalReadAt?: number;
  }
}

/** Undefined outside of a request, on public routes, and until the bearer guard has let the request pass. */
export const currentPrincipal = (): Principal | undefined => currentRequest()?.principal;

/**
 * Does work within the current request with the rights of another principal instead of the caller's. Notes for the
 * response are dropped.
 */
export function asPrincipal<T>(principal: Principal, work: () => T): T {
  const request = currentRequest();
  if (!request) throw new Error('Only a request is made by a principal');
  // The prototype makes later changes to the request visible to the work, for example that it is over.
  const context = Object.assign(Object.create(request) as RequestContext, { principal });
  return inRequest(context, work);
}

/** Whether a principal has a scope. */
export const hasScope = ({ scopes }: Principal, scope: Scope): boolean =>
  scopes.has(scope) || scopes.has(ALL_SCOPES);
