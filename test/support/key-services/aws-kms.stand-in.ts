import type { IncomingMessage } from 'node:http';
import { SigningKey } from 'ethers';
import { derSignature, publicKeyInfo } from './der-key';
import { type ServiceResponse, type Fault, KeyServiceStandIn } from './key-service.stand-in';

const SIGV4 =
  /^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/[a-z0-9-]+\/kms\/aws4_request, SignedHeaders=[a-z0-9;-]+, Signature=[0-9a-f]{64}$/;

/** AWS KMS with one key: JSON 1.1, `TrentService.GetPublicKey`, and `TrentService.Sign` for digests. */
export class AwsKmsStandIn extends KeyServiceStandIn {
  /** The key spec that GetPublicKey returns. */
  keySpec = 'ECC_SECG_P256K1';
  /** When each digest was last signed, on the clock of `performance.now()`; digests in hex. */
  readonly signedAt = new Map<string, number>();
  protected override readonly contentType = 'application/x-amz-json-1.1';

  constructor(
    private readonly key: SigningKey,
    private readonly keyId: string,
    private readonly otherKey: SigningKey,
  ) {
    super();
  }

  protected name(request: IncomingMessage): string {
    return String(request.headers['x-amz-target']);
  }

  protected respond(request: IncomingMessage, body: string, fault: Fault | undefined): ServiceResponse {
    if (!SIGV4.test(request.headers.authorization ?? '')) return failure('IncompleteSignatureException');
    const input = JSON.parse(body) as Record<string, string>;
    if (input.KeyId !== this.keyId) return failure('NotFoundException');
    const key = fault === 'wrong key' ? this.otherKey : this.key;
    const KeyId = `arn:aws:kms:eu-central-1:111122223333:key/${this.keyId}`;
    switch (this.name(request)) {
      case 'TrentService.GetPublicKey': {
        const PublicKey = cut(publicKeyInfo(key), fault).toString('base64');
        const use = { KeyUsage: 'SIGN_VERIFY', SigningAlgorithms: ['ECDSA_SHA_256'] };
        return { status: 200, body: { KeyId, PublicKey, KeySpec: this.keySpec, ...use } };
      }
      case 'TrentService.Sign': {
        const digest = Buffer.from(input.Message ?? '', 'base64');
        const { MessageType, SigningAlgorithm } = input;
        if (MessageType !== 'DIGEST' || SigningAlgorithm !== 'ECDSA_SHA_256' || digest.length !== 32) {
          return failure('ValidationException');
        }
        const Signature = cut(derSignature(key, digest), fault).toString('base64');
        this.signedAt.set(digest.toString('hex'), performance.now());
        return { status: 200, body: { KeyId, Signature, SigningAlgorithm } };
      }
      default:
        return failure('UnknownOperationException');
    }
  }
}

function failure(type: string): ServiceResponse {
  return { status: 400, body: { __type: type, message: 'stand-in' } };
}

function cut(der: Buffer, fault: Fault | undefined): Buffer {
  return fault === 'truncated' ? der.subarray(0, -1) : der;
}
