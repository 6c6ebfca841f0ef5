import { currentRequest } from '../common/http/request-context';

/** Who makes a request, as its credentials prove. */
export interface Principal {
  /** Unique among all principals; limits count by it. */
  readonly id: string;
  readonly kind: 'root';
}

/** The holder of `API_KEY`. */
export const ROOT: Principal = { id: 'root', kind: 'root' };

declare module '../common/http/request-context' {
  interface RequestContext {
    /** Set by the bearer guard. */
    principal?: Principal;
  }
}

/** Undefined outside of a request, on public routes, and until the bearer guard has let the request pass. */
export const currentPrincipal = (): Principal | undefined => currentRequest()?.principal;
