import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { SigningKey } from 'ethers';
import { respondWithJson, bodyOf, HTTP_FAULTS, type HttpFault } from './http-faults';
import { closeServer, listenOnLoopback } from './loopback-server';
import { selfSignedCertificate } from './self-signed-certificate';

/** The request in which a fault is to occur. */
export type AzureRequest = 'token' | 'key' | 'sign';

/** Faults below the protocol level, and wrong responses within the protocol. */
export type AzureFault = HttpFault | 'wrong_key' | 'short_signature' | 'zero_signature';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const RESOURCE = 'https://vault.azure.net';
const hex32 = (value: bigint): string => value.toString(16).padStart(64, '0');
const base64url = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url');

/**
 * A vault of Azure Key Vault, with the endpoint of Microsoft Entra ID that issues its tokens. It uses TLS, which the
 * SDK requires.
 */
export class AzureKeyVaultStandIn {
  readonly tenantId = randomUUID();
  readonly clientId = randomUUID();
  readonly clientSecret = randomBytes(24).toString('base64url');
  /** The content of the federated token file for workload identity. */
  readonly assertion = `header.${randomUUID()}.signature`;
  readonly keyName = 'relayer';
  readonly version = randomBytes(16).toString('hex');
  readonly requests: string[] = [];
  /** Overrides for the JSON Web Key, and for its attributes. */
  keyChanges: Record<string, unknown> = {};
  attributeChanges: Record<string, unknown> = {};
  private readonly certificate = selfSignedCertificate();
  private readonly server = createServer(
    this.certificate,
    (request, response) => void this.serve(request, response),
  );
  private readonly tokens = new Set<string>();
  private readonly faults = new Map<AzureRequest, AzureFault>();
  private readonly key: SigningKey;
  private port = 0;

  constructor(privateKey: string) {
    this.key = new SigningKey(privateKey);
  }

  async start(): Promise<void> {
    this.port = await listenOnLoopback(this.server);
  }

  stop(): Promise<void> {
    return closeServer(this.server);
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** The certificate that a client must trust. */
  get ca(): string {
    return this.certificate.cert;
  }

  misbehave(request: AzureRequest, fault: AzureFault): void {
    this.faults.set(request, fault);
  }

  behave(): void {
    this.faults.clear();
    this.requests.length = 0;
    this.keyChanges = {};
    this.attributeChanges = {};
  }

  /** Revokes all tokens issued so far. */
  revokeTokens(): void {
    this.tokens.clear();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    this.requests.push(`${request.method ?? ''} ${pathname.replace(this.tenantId, '{tenant}')}`);
    const [, first, name, version, operation] = pathname.split('/');
    if (first === 'keys') {
      const known =
        name === this.keyName && (version === '' || version === undefined || version === this.version);
      if (!this.authorised(request)) {
        // The response to a request without its body, like the first request of a client, is delayed: a client that
        // sends other requests meanwhile must not mix them up.
        setTimeout(
          () => {
            this.challenge(response);
          },
          request.method === 'POST' && body === '' ? 100 : 0,
        );
        return;
      }
      if (!known) respondWithJson(response, 404, { error: { code: 'KeyNotFound', message: 'no such key' } });
      else if (request.method === 'GET' && operation === undefined) this.tellKey(response);
      else if (request.method === 'POST' && operation === 'sign') this.sign(body, response);
      else
        respondWithJson(response, 405, { error: { code: 'MethodNotAllowed', message: 'no such operation' } });
    } else if (pathname.endsWith('/.well-known/openid-configuration')) {
      this.describeAuthority(response);
    } else if (pathname === '/msi/token') {
      this.giveIdentityToken(request, searchParams, response);
    } else {
      this.giveToken(body, response);
    }
  }

  private describeAuthority(response: ServerResponse): void {
    const authority = `${this.url}/${this.tenantId}`;
    respondWithJson(response, 200, {
      token_endpoint: `${authority}/oauth2/v2.0/token`,
      authorization_endpoint: `${authority}/oauth2/v2.0/authorize`,
      issuer: `${authority}/v2.0`,
      jwks_uri: `${authority}/discovery/v2.0/keys`,
    });
  }

  private giveToken(body: string, response: ServerResponse): void {
    const fault = this.faults.get('token');
    if (fault) {
      this.fail(fault, response);
      return;
    }
    const form = new URLSearchParams(body);
    const proven =
      form.get('client_secret') === this.clientSecret || form.get('client_assertion') === this.assertion;
    if (
      form.get('grant_type') !== 'client_credentials' ||
      form.get('client_id') !== this.clientId ||
      form.get('scope')?.split(' ').includes(`${RESOURCE}/.default`) !== true ||
      !proven
    ) {
      respondWithJson(response, 401, {
        error: 'invalid_client',
        error_description: `AADSTS7000215: Invalid client secret provided for app '${this.clientId}'.`,
        error_codes: [7000215],
      });
      return;
    }
    respondWithJson(response, 200, { token_type: 'Bearer', expires_in: 3599, access_token: this.newToken() });
  }

  /** The endpoint that App Service and Container Apps provide for managed identities. */
  private giveIdentityToken(
    request: IncomingMessage,
    query: URLSearchParams,
    response: ServerResponse,
  ): void {
    if (request.headers['x-identity-header'] !== this.assertion || query.get('resource') !== RESOURCE) {
      respondWithJson(response, 401, { statusCode: 401, message: 'not an identity of this machine' });
      return;
    }
    respondWithJson(response, 200, {
      access_token: this.newToken(),
      expires_on: String(Math.floor(Date.now() / 1000) + 3599),
      resource: RESOURCE,
      token_type: 'Bearer',
    });
  }

  private newToken(): string {
    const token = `token-${randomUUID()}`;
    this.tokens.add(token);
    return token;
  }

  private authorised(request: IncomingMessage): boolean {
    const token = request.headers.authorization?.replace(/^Bearer /, '');
    return token !== undefined && this.tokens.has(token);
  }

  /** Tells a client without a token where to get one. */
  private challenge(response: ServerResponse): void {
    response.setHeader(
      'WWW-Authenticate',
      `Bearer authorization="${this.url}/${this.tenantId}", resource="${RESOURCE}"`,
    );
    respondWithJson(response, 401, { error: { code: 'Unauthorized', message: 'AKV10000: no bearer token' } });
  }

  private tellKey(response: ServerResponse): void {
    const fault = this.faults.get('key');
    if (fault) {
      this.fail(fault, response);
      return;
    }
    const point = this.key.publicKey.slice(4);
    respondWithJson(response, 200, {
      key: {
        kid: `${this.url}/keys/${this.keyName}/${this.version}`,
        kty: 'EC-HSM',
        crv: 'P-256K',
        key_ops: ['sign', 'verify'],
        x: base64url(point.slice(0, 64)),
        y: base64url(point.slice(64)),
        ...this.keyChanges,
      },
      attributes: { enabled: true, created: 1_700_000_000, updated: 1_700_000_000, ...this.attributeChanges },
    });
  }

  private sign(body: string, response: ServerResponse): void {
    const fault = this.faults.get('sign');
    if (fault && fault in HTTP_FAULTS) {
      this.fail(fault, response);
      return;
    }
    const { alg, value } = JSON.parse(body === '' ? '{}' : body) as { alg?: string; value?: string };
    const digest = Buffer.from(value ?? '', 'base64url');
    if (alg !== 'ES256K' || digest.length !== 32) {
      respondWithJson(response, 400, { error: { code: 'BadParameter', message: 'not a digest for ES256K' } });
      return;
    }
    respondWithJson(response, 200, {
      kid: `${this.url}/keys/${this.keyName}/${this.version}`,
      value: this.signature(digest, fault),
    });
  }

  /**
   * r ‖ s, with s in the upper half in about every other response, because the service does not guarantee the lower
   * one.
   */
  private signature(digest: Buffer, fault: AzureFault | undefined): string {
    if (fault === 'zero_signature') return Buffer.alloc(64).toString('base64url');
    const key = fault === 'wrong_key' ? new SigningKey(randomBytes(32)) : this.key;
    const { r, s } = key.sign(digest);
    const shown = Math.random() < 0.5 ? ORDER - BigInt(s) : BigInt(s);
    const bytes = Buffer.from(r.slice(2) + hex32(shown), 'hex');
    return bytes.subarray(0, fault === 'short_signature' ? 63 : 64).toString('base64url');
  }

  private fail(fault: AzureFault, response: ServerResponse): void {
    if (fault in HTTP_FAULTS) HTTP_FAULTS[fault as HttpFault](response);
    else respondWithJson(response, 500, { error: { code: 'Fault', message: `${fault} cannot happen here` } });
  }
}
