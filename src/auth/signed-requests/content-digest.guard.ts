import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AuthenticationFailures } from '../../access/authentication-failures';
import { currentPrincipal } from '../../access/principal';
import { announcedLength } from '../../common/http/body/body-length';
import { clientAddressOf } from '../../common/http/client-address';
import { unauthorized } from '../unauthorized';
import { hasDigest } from './content-digest';
import { SignedRequestAuthentication } from './signed-request-authentication';

const NOTHING = Buffer.alloc(0);

/**
 * Compares the body of a signed request with the signed digest. It runs after the body has been read. Other bodies have
 * no effect, unless a plugin's handler reads them from the request itself.
 */
@Injectable()
export class ContentDigestGuard implements CanActivate {
  constructor(
    private readonly signedRequests: SignedRequestAuthentication,
    private readonly failures: AuthenticationFailures,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const digest = this.signedRequests.digestOf(request);
    if (!digest) return true;
    const read: unknown = request.body;
    const body = Buffer.isBuffer(read) ? read : announcedLength(request) === 0 ? NOTHING : undefined;
    if (!body || hasDigest(body, digest)) return true;
    const [keyId, clientAddress] = [currentPrincipal()?.id, clientAddressOf(request)];
    this.failures.record({
      cause: 'bad_digest',
      ...(keyId !== undefined && { keyId }),
      ...(clientAddress !== undefined && { clientAddress }),
    });
    throw unauthorized();
  }
}
