import type { SignerFailureReason } from '../../signer-failure';
import { DerSignerProvider } from '../../key-services/der-signer.provider';
import { reasonOfConnection, reasonOfStatus } from '../../key-services/failure-reason';
import type { CallLimits } from '../../key-services/remote-calls';
import type { Lease } from '../../key-services/shared-clients';
import type { AwsKms, AwsKmsClients } from './aws-kms.clients';
import type { AwsKmsSettings } from './aws-kms.config';

/** Matched by error name: KMS responds with 400 both to throttling and to a forbidden key. */
const THROTTLED = /Throttl|TooManyRequests|LimitExceeded|SlowDown/;

/** An AWS KMS key with the spec ECC_SECG_P256K1, which never leaves the hardware modules. */
export class AwsKmsSignerProvider extends DerSignerProvider<AwsKms> {
  constructor(
    private readonly settings: AwsKmsSettings,
    private readonly clients: AwsKmsClients,
    limits?: CallLimits,
  ) {
    super('aws_kms', limits);
  }

  protected connect(): Lease<AwsKms> {
    return this.clients.lease(this.settings.region);
  }

  protected async publicKey({ client, sdk }: AwsKms, abortSignal: AbortSignal): Promise<Uint8Array> {
    const command = new sdk.GetPublicKeyCommand({ KeyId: this.settings.key_id });
    const { PublicKey, KeySpec, KeyUsage } = await client.send(command, { abortSignal });
    if (KeySpec !== 'ECC_SECG_P256K1' || KeyUsage !== 'SIGN_VERIFY' || !PublicKey) {
      throw new Error(
        `the key is ${KeySpec ?? 'of no spec'} for ${KeyUsage ?? 'nothing'}: it must be ECC_SECG_P256K1 for SIGN_VERIFY`,
      );
    }
    return PublicKey;
  }

  protected async sign(
    { client, sdk }: AwsKms,
    digest: Uint8Array,
    abortSignal: AbortSignal,
  ): Promise<Uint8Array> {
    const command = new sdk.SignCommand({
      KeyId: this.settings.key_id,
      Message: digest,
      MessageType: 'DIGEST',
      SigningAlgorithm: 'ECDSA_SHA_256',
    });
    const { Signature } = await client.send(command, { abortSignal });
    if (!Signature) throw new Error('the response contains no signature');
    return Signature;
  }

  protected reasonOf(error: unknown): SignerFailureReason {
    const { name = '', status } = describe(error);
    if (THROTTLED.test(name)) return 'throttled';
    if (name === 'DependencyTimeoutException') return 'timeout';
    if (name === 'CredentialsProviderError') return 'no_credentials';
    return reasonOfConnection(error) ?? reasonOfStatus(status) ?? 'invalid_response';
  }
}

/** For errors that it could parse, the SDK puts the status into `$metadata`, otherwise into `$response`. */
function describe(error: unknown): { name?: string; status?: number } {
  if (!(error instanceof Error)) return {};
  const { $metadata, $response } = error as {
    $metadata?: { httpStatusCode?: number };
    $response?: { statusCode?: number };
  };
  return { name: error.name, status: $metadata?.httpStatusCode ?? $response?.statusCode };
}
