import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { Request } from 'express';
import type { AuthenticationFailureCause } from '../../access/authentication-failures';
import type { Principal } from '../../access/principal';
import { getOrCreate } from '../../common/get-or-create';
import { announcedLength } from '../../common/http/body/body-length';
import { clientAddressOf } from '../../common/http/client-address';
import { parseUrl } from '../../common/net/parse-url';
import type { AppConfig } from '../../config/app-config';
import { ApiKeyAuthentication } from '../api-keys/api-key-authentication';
import type { ApiKeyEntity } from '../api-keys/api-key.entity';
import { ApiKeyLookup, type FoundApiKey } from '../api-keys/api-key-lookup';
import { type ContentDigest, readContentDigest } from './content-digest';
import { algorithmOf } from './public-key';
import { readSignature, type RequestSignature } from './signature-headers';
import { signatureBase } from './signature-base';
import { UsedNonces } from './used-nonces';

/** How far the time of a signature may differ from that of the service, in either direction. @limit Access */
const TOLERANCE_SECONDS = 60;
/** One key per algorithm, whose private halves are discarded. */
const NO_KEYS = [
  generateKeyPairSync('ed25519').publicKey,
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey,
];

/** The principal of a signed request, or why it was refused; and the key id in the signature. */
export interface SignedRequestResult {
  found: Principal | AuthenticationFailureCause;
  keyId?: string;
}

/**
 * Finds the principal of a request that is signed by HTTP Message Signatures (RFC 9421). The signature must cover at
 * least the method, the URI, the digest of the body and the idempotency key. The headers are checked before the body is read; {@link
 * digestOf} returns what the body must match.
 */
@Injectable()
export class SignedRequestAuthentication {
  private readonly publicOrigin: string | undefined;
  private readonly digests = new WeakMap<Request, ContentDigest>();
  private readonly unused = new WeakMap<Request, RequestSignature>();
  private readonly keys = new WeakMap<Readonly<ApiKeyEntity>, KeyObject>();

  constructor(
    private readonly lookup: ApiKeyLookup,
    private readonly apiKeys: ApiKeyAuthentication,
    private readonly nonces: UsedNonces,
    config: ConfigService<AppConfig, true>,
  ) {
    this.publicOrigin = config.get('http', { infer: true }).publicOrigin;
  }

  /** Whether a request claims to be signed. */
  static isSigned({ headers }: Request): boolean {
    return headers['signature-input'] !== undefined;
  }

  /** The digests that the body must match; undefined if the request is not signed or declares none. */
  digestOf(request: Request): ContentDigest | undefined {
    return this.digests.get(request);
  }

  /**
   * Verifies the signature without using its nonce, so a replay is found as well. Writes nothing. The request may be
   * served only after {@link useNonce}.
   */
  async identify(request: Request): Promise<SignedRequestResult> {
    const { 'signature-input': input, signature } = request.headers;
    const signed = readSignature(String(input), String(signature));
    if (!signed) return { found: 'malformed' };
    return { found: await this.verify(request, signed), keyId: signed.keyId };
  }

  /** Uses the nonce of an identified request. @returns whether this was its first use, on any instance */
  async useNonce(request: Request): Promise<boolean> {
    const signature = this.unused.get(request);
    if (!signature || !this.unused.delete(request)) return false;
    return this.nonces.use(signature.keyId, signature.nonce);
  }

  private async verify(
    request: Request,
    signature: RequestSignature,
  ): Promise<Principal | AuthenticationFailureCause> {
    const { components, created, expires, keyId } = signature;
    const now = Math.floor(Date.now() / 1000);
    if (Math.abs(now - created) > TOLERANCE_SECONDS || (expires !== undefined && expires <= now))
      return 'bad_time';
    const digest = readContentDigest(String(request.headers['content-digest']));
    if (!isCovered(request, components, digest)) return 'malformed';
    const base = this.baseOf(request, signature);
    const key = await this.lookup.find(keyId);
    const isSigned = isSignedBy(this.publicKeyOf(key), base ?? '', signature);
    if (typeof key === 'string') return key;
    if (base === undefined || !isSigned) return 'bad_signature';
    const found = this.apiKeys.admit(key, clientAddressOf(request));
    if (typeof found !== 'string') this.unused.set(request, signature);
    if (digest && components.includes('content-digest')) this.digests.set(request, digest);
    return found;
  }

  private baseOf(request: Request, { components, serialized }: RequestSignature): string | undefined {
    const origin = this.publicOrigin ?? parseUrl(`${request.protocol}://${request.host}`)?.origin;
    if (origin === undefined) return undefined;
    const { method, originalUrl: target, headers } = request;
    return signatureBase({ method, origin, target, headers }, components, serialized);
  }

  private publicKeyOf(row: FoundApiKey): KeyObject | undefined {
    if (typeof row === 'string' || row.publicKey === null) return undefined;
    const { publicKey } = row;
    return getOrCreate(this.keys, row, () => createPublicKey(publicKey));
  }
}

/**
 * Whether a key has signed the text. Before every refusal, even without a key, it verifies a signature with each
 * algorithm, so that the timing reveals neither which ids exist nor the types of their keys.
 */
function isSignedBy(
  known: KeyObject | undefined,
  base: string,
  { algorithm, bytes }: RequestSignature,
): boolean {
  const own = known && algorithmOf(known);
  const isRight = known !== undefined && isSignature(bytes, base, known);
  if (isRight && (algorithm === undefined || algorithm === own)) return true;
  for (const key of NO_KEYS) if (algorithmOf(key) !== own) isSignature(bytes, base, key);
  return false;
}

const isSignature = (bytes: Uint8Array, base: string, key: KeyObject): boolean =>
  algorithmOf(key) === 'ed25519'
    ? verify(null, Buffer.from(base), key, bytes)
    : verify('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }, bytes);

/**
 * Whether the signature covers all required components, including a digest of the body that can be checked. An
 * `Idempotency-Key` that is not covered could have been replaced, and a retry would then send a transaction again.
 */
function isCovered(
  request: Request,
  components: readonly string[],
  digest: ContentDigest | undefined,
): boolean {
  const hasBody = announcedLength(request) !== 0;
  const hasIdempotencyKey = request.headers['idempotency-key'] !== undefined;
  if (!components.includes('@method') || !components.includes('@target-uri')) return false;
  if (hasIdempotencyKey && !components.includes('idempotency-key')) return false;
  return components.includes('content-digest') ? digest !== undefined : !hasBody;
}
