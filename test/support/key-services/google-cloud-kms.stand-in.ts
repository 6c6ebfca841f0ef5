import { createVerify, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SigningKey } from 'ethers';
import { crc32c } from '../../../src/signers/kinds/google-cloud-kms/crc32c';
import { derSignature, publicKeyInfo } from './der-key';
import { type ServiceResponse, type Fault, KeyServiceStandIn } from './key-service.stand-in';

const EC_SIGN_SECP256K1_SHA256 = 31;
const HSM = 2;

/** A service account known to the stand-in: its e-mail address and the key with which its tokens are signed. */
export interface KnownServiceAccount {
  clientEmail: string;
  keyId: string;
  publicKey: KeyObject;
}

/** How a response is manipulated before it is sent. */
export type Tampering = 'signature crc' | 'pem crc' | 'digest not verified' | 'no crc';

/**
 * Cloud KMS with one version of one key: `GET /v1/{name}/publicKey` and `POST /v1/{name}:asymmetricSign`. It accepts
 * the self-signed tokens of a service account (RFC 7523), and tokens issued by `POST /token` (RFC 8693).
 */
export class GoogleCloudKmsStandIn extends KeyServiceStandIn {
  /** The reported properties of the public key, as numbers from the API's enumerations. */
  algorithm = EC_SIGN_SECP256K1_SHA256;
  protectionLevel = HSM;
  tampering: Tampering | undefined;

  constructor(
    private readonly key: SigningKey,
    private readonly keyName: string,
    private readonly otherKey: SigningKey,
    private readonly account: KnownServiceAccount,
    private readonly exchangedToken: string,
  ) {
    super();
  }

  protected name(request: IncomingMessage): string {
    return `${request.method ?? ''} ${(request.url ?? '').replace(/\?.*$/, '').replace(/^.*\/cryptoKeyVersions/, '')}`;
  }

  protected respond(request: IncomingMessage, body: string, fault: Fault | undefined): ServiceResponse {
    const [path = ''] = (request.url ?? '').split('?');
    if (path === '/token') {
      return {
        status: 200,
        body: {
          access_token: this.exchangedToken,
          token_type: 'Bearer',
          expires_in: 3600,
          issued_token_type: 'urn:x',
        },
      };
    }
    if (!this.isKnown(request.headers.authorization)) return failure(401, 'UNAUTHENTICATED');
    const key = fault === 'wrong key' ? this.otherKey : this.key;
    if (request.method === 'GET' && path === `/v1/${this.keyName}/publicKey`)
      return this.publicKey(key, fault);
    if (request.method === 'POST' && path === `/v1/${this.keyName}:asymmetricSign`)
      return this.sign(key, body, fault);
    return failure(404, 'NOT_FOUND');
  }

  private publicKey(key: SigningKey, fault: Fault | undefined): ServiceResponse {
    const lines =
      cut(publicKeyInfo(key), fault)
        .toString('base64')
        .match(/.{1,64}/g) ?? [];
    const pem = ['-----BEGIN PUBLIC KEY-----', ...lines, '-----END PUBLIC KEY-----', ''].join('\n');
    return {
      status: 200,
      body: {
        name: this.keyName,
        pem,
        pemCrc32c: this.checksum(Buffer.from(pem), 'pem crc'),
        algorithm: this.algorithm,
        protectionLevel: this.protectionLevel,
      },
    };
  }

  private sign(key: SigningKey, body: string, fault: Fault | undefined): ServiceResponse {
    const input = JSON.parse(body) as { digest?: { sha256?: string }; digestCrc32c?: string };
    const digest = Buffer.from(input.digest?.sha256 ?? '', 'base64');
    if (digest.length !== 32 || input.digestCrc32c !== String(crc32c(digest)))
      return failure(400, 'INVALID_ARGUMENT');
    const signature = cut(derSignature(key, digest), fault);
    return {
      status: 200,
      body: {
        name: this.keyName,
        signature: signature.toString('base64'),
        signatureCrc32c: this.checksum(signature, 'signature crc'),
        ...(this.tampering !== 'digest not verified' && { verifiedDigestCrc32c: true }),
        protectionLevel: HSM,
      },
    };
  }

  private checksum(bytes: Buffer, tampering: Tampering): string | undefined {
    if (this.tampering === 'no crc') return undefined;
    return String(crc32c(this.tampering === tampering ? bytes.subarray(1) : bytes));
  }

  private isKnown(authorization = ''): boolean {
    const token = /^Bearer (\S+)$/.exec(authorization)?.[1] ?? '';
    if (token === this.exchangedToken) return true;
    const [header = '', claims = '', signature = ''] = token.split('.');
    const signed = createVerify('RSA-SHA256').update(`${header}.${claims}`);
    if (!signed.verify(this.account.publicKey, signature, 'base64url')) return false;
    const { kid } = decode(header) as { kid?: string };
    const { iss, sub, exp } = decode(claims) as { iss?: string; sub?: string; exp?: number };
    const { clientEmail, keyId } = this.account;
    return iss === clientEmail && sub === clientEmail && kid === keyId && (exp ?? 0) > Date.now() / 1000;
  }
}

function decode(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
}

function failure(code: number, status: string): ServiceResponse {
  return { status: code, body: { error: { code, message: 'stand-in', status } } };
}

function cut(der: Buffer, fault: Fault | undefined): Buffer {
  return fault === 'truncated' ? der.subarray(0, -1) : der;
}
