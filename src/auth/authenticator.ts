import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type AuthenticationFailureCause, AuthenticationFailures } from '../access/authentication-failures';
import { type Principal, ROOT } from '../access/principal';
import { type Eventually, whenThere } from '../common/event-loop/eventually';
import { getOrCreate } from '../common/get-or-create';
import { clientAddressOf } from '../common/http/client-address';
import { headerCount } from '../common/http/header-count';
import { currentRequest } from '../common/http/request-context';
import { ApiKeyAuthentication } from './api-keys/api-key-authentication';
import { apiKeyIdOf } from './api-keys/api-key-text';
import { RootKeys } from './root-keys';
import { SignedRequestAuthentication } from './signed-requests/signed-request-authentication';

const CREDENTIALS = /^Bearer +([\x21-\x7e]+)$/i;

/**
 * Finds the principal of a request by its bearer token (RFC 6750 §2.1). There must be exactly one `Authorization`
 * header, with the scheme Bearer and a root key or an API key. A request without that header may be signed instead.
 */
@Injectable()
export class Authenticator {
  readonly #identified = new WeakMap<Request, { principal: Eventually<Principal | undefined> }>();
  readonly #authenticated = new WeakMap<Request, Promise<Principal | undefined>>();

  constructor(
    private readonly rootKeys: RootKeys,
    private readonly apiKeys: ApiKeyAuthentication,
    private readonly signedRequests: SignedRequestAuthentication,
    private readonly failures: AuthenticationFailures,
  ) {}

  /**
   * Finds out who made a request, to limit or refuse it. Writes nothing: a replayed signature has the principal of the
   * original. Does the work once per request, however often it is called; for a root key it returns no promise.
   * Undefined if there are no valid credentials.
   */
  identify(request: Request): Eventually<Principal | undefined> {
    return getOrCreate(this.#identified, request, () => ({ principal: this.verify(request) })).principal;
  }

  /** Like {@link identify}, for a request that will be served: uses the nonce of a signature, and refuses replays. */
  authenticate(request: Request): Eventually<Principal | undefined> {
    if (!this.hasNonce(request)) return this.identify(request);
    return getOrCreate(this.#authenticated, request, () => this.useNonce(request));
  }

  /** Whether {@link authenticate} writes to the database. */
  hasNonce(request: Request): boolean {
    return request.headers.authorization === undefined && SignedRequestAuthentication.isSigned(request);
  }

  private async useNonce(request: Request): Promise<Principal | undefined> {
    const principal = await this.identify(request);
    if (!principal || (await this.signedRequests.useNonce(request))) return principal;
    return this.refuse(request, 'replayed', principal.id);
  }

  /**
   * Authenticates a long-running request again, based on the current state of the database. A signature is not verified
   * again: its nonce has been used, and the public key of an API key never changes.
   *
   * @param known the principal of the request
   */
  authenticateAgain(request: Request, known: Principal): Eventually<Principal | undefined> {
    return request.headers.authorization === undefined
      ? this.admitAgain(request, known.id)
      : this.verify(request);
  }

  private async admitAgain(request: Request, keyId: string): Promise<Principal | undefined> {
    return this.admitOrRefuse(request, await this.apiKeys.admitAgain(keyId, clientAddressOf(request)), keyId);
  }

  private verify(request: Request): Eventually<Principal | undefined> {
    const { authorization } = request.headers;
    if (authorization === undefined)
      return this.hasNonce(request) ? this.verifySignature(request) : undefined;
    const token = CREDENTIALS.exec(authorization)?.[1];
    if (token === undefined || headerCount(request, 'authorization') !== 1)
      return this.refuse(request, 'malformed');
    if (this.rootKeys.include(token)) return ROOT;
    const keyId = apiKeyIdOf(token);
    if (keyId === undefined)
      return this.refuse(request, token.startsWith('rk_') ? 'malformed' : 'unknown_token');
    return whenThere(this.apiKeys.authenticate(keyId, token, clientAddressOf(request)), (found) =>
      this.admitOrRefuse(request, found, keyId),
    );
  }

  private async verifySignature(request: Request): Promise<Principal | undefined> {
    const { found, keyId } = await this.signedRequests.identify(request);
    return this.admitOrRefuse(request, found, keyId);
  }

  /**
   * Sets the time at which the key was read. The throttler authenticates first and may wait after that, so the guard's
   * time would be too late.
   */
  private admitOrRefuse(
    request: Request,
    found: Principal | AuthenticationFailureCause,
    keyId: string | undefined,
  ): Principal | undefined {
    if (typeof found === 'string') return this.refuse(request, found, keyId);
    const current = currentRequest();
    if (current) current.principalReadAt = performance.now();
    return found;
  }

  private refuse(request: Request, cause: AuthenticationFailureCause, keyId?: string): Principal | undefined {
    const clientAddress = clientAddressOf(request);
    this.failures.record({
      cause,
      ...(keyId !== undefined && { keyId }),
      ...(clientAddress !== undefined && { clientAddress }),
    });
    return undefined;
  }
}
