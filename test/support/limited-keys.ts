import type { Request } from 'express';
import { OngoingAccess } from '../../src/access/ongoing-access';
import type { Principal } from '../../src/access/principal';
import type { GrantedScope, Scope } from '../../src/access/scopes';
import { Authenticator } from '../../src/auth/authenticator';
import { DomainError } from '../../src/common/errors/domain-error';
import type { TestApplication } from './application';
import type { Call, HttpResponse } from './http';

/** What an API key is given. Without relayers and groups it reaches all relayers. */
export interface Grant {
  scopes: readonly GrantedScope[];
  relayers?: readonly string[];
  groups?: readonly string[];
}

/** A client with an API key. */
export interface LimitedClient {
  readonly id: string;
  call: (call: Call) => Promise<HttpResponse>;
  get: (path: string) => Promise<HttpResponse>;
  /** The key is no longer valid. */
  revoke: () => void;
}

/** Gives a running service API keys beside the root key. */
export class LimitedKeys {
  private readonly principals = new Map<string, Principal>();

  constructor(private readonly service: TestApplication) {
    const authenticator = service.app.get(Authenticator);
    const authenticate = authenticator.authenticate.bind(authenticator);
    authenticator.authenticate = (request: Request) =>
      this.principals.get(request.headers.authorization ?? '') ?? authenticate(request);
    Object.assign(service.app.get(OngoingAccess, { strict: false }), {
      status: {
        assertStillValid: ({ id }: Principal, _scope: Scope) => {
          if (!this.principals.has(`Bearer ${id}`)) throw new DomainError('unauthorized', 'Unauthorized');
        },
      },
    });
  }

  create({ scopes, relayers, groups }: Grant): LimitedClient {
    const id = `key-${this.principals.size + 1}`;
    const authorization = `Bearer ${id}`;
    const isLimited = relayers !== undefined || groups !== undefined;
    this.principals.set(authorization, {
      id,
      kind: 'api_key',
      scopes: new Set(scopes),
      reach: isLimited ? { relayers: new Set(relayers), groups: new Set(groups) } : undefined,
      rateLimit: undefined,
    });
    const call = (one: Call): Promise<HttpResponse> =>
      this.service.call({ ...one, headers: { ...one.headers, authorization } });
    return { id, call, get: (path) => call({ path }), revoke: () => this.principals.delete(authorization) };
  }
}
