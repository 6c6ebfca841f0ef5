import type { KeyManagementServiceClient } from '@google-cloud/kms';
import type { SignerFailureReason } from '../../signer-failure';
import { DerSignerProvider } from '../../key-services/der-signer.provider';
import { type CallLimits, DEFAULT_CALL_LIMITS } from '../../key-services/remote-calls';
import type { Lease } from '../../key-services/shared-clients';
import { crc32c } from './crc32c';
import type { GoogleAccount, GoogleCloudKmsClients } from './google-cloud-kms.clients';
import { reasonOfGoogleError } from './google-cloud-kms.failure';

/** A version of a key in Cloud KMS, and the account that may use it. */
export interface GoogleCloudKmsKey {
  /** `projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/…` */
  name: string;
  account: GoogleAccount;
}

const ALGORITHM = 'EC_SIGN_SECP256K1_SHA256';
const HARDWARE = ['HSM', 'HSM_SINGLE_TENANT'];
const PEM = /^-----BEGIN PUBLIC KEY-----\n([A-Za-z0-9+/\n]+={0,2})\n-----END PUBLIC KEY-----\n?$/;

/** A Cloud KMS key with the algorithm EC_SIGN_SECP256K1_SHA256, which never leaves the hardware modules. */
export class GoogleCloudKmsSignerProvider extends DerSignerProvider<KeyManagementServiceClient> {
  /** Disables the client's own retries, which would continue for ten minutes. */
  private readonly callOptions: { timeout: number; retry: null };

  constructor(
    private readonly key: GoogleCloudKmsKey,
    private readonly clients: GoogleCloudKmsClients,
    limits: CallLimits = DEFAULT_CALL_LIMITS,
  ) {
    super('google_cloud_kms', limits);
    this.callOptions = { timeout: limits.timeoutMs, retry: null };
  }

  protected connect(): Lease<KeyManagementServiceClient> {
    return this.clients.lease(this.key.account);
  }

  protected async publicKey(client: KeyManagementServiceClient): Promise<Uint8Array> {
    const [{ pem, pemCrc32c, algorithm, protectionLevel }] = await client.getPublicKey(
      { name: this.key.name },
      this.callOptions,
    );
    if (algorithm !== ALGORITHM || !HARDWARE.includes(String(protectionLevel))) {
      throw new Error(
        `the key is ${String(algorithm)} of protection level ${String(protectionLevel)}: it must be ${ALGORITHM} in HSM`,
      );
    }
    if (!pem || !isIntact(Buffer.from(pem), pemCrc32c))
      throw new Error('the public key does not match its CRC32C');
    return decodePem(pem);
  }

  protected async sign(client: KeyManagementServiceClient, digest: Uint8Array): Promise<Uint8Array> {
    const [{ signature, signatureCrc32c, verifiedDigestCrc32c }] = await client.asymmetricSign(
      { name: this.key.name, digest: { sha256: digest }, digestCrc32c: { value: crc32c(digest) } },
      this.callOptions,
    );
    if (verifiedDigestCrc32c !== true) throw new Error('the digest was changed in transit');
    if (!(signature instanceof Uint8Array) || !isIntact(signature, signatureCrc32c)) {
      throw new Error('the signature does not match its CRC32C');
    }
    return signature;
  }

  protected reasonOf(error: unknown): SignerFailureReason {
    return reasonOfGoogleError(error);
  }
}

/** `checksum` is a 64-bit integer, which the client returns as a decimal string. */
function isIntact(bytes: Uint8Array, checksum: { value?: unknown } | null | undefined): boolean {
  return String(checksum?.value) === String(crc32c(bytes));
}

/** Textual encoding of a SubjectPublicKeyInfo (RFC 7468 §13). */
function decodePem(pem: string): Uint8Array {
  const base64 = PEM.exec(pem)?.[1]?.replaceAll('\n', '');
  if (base64 === undefined) throw new Error('the public key is not PEM');
  return Buffer.from(base64, 'base64');
}
