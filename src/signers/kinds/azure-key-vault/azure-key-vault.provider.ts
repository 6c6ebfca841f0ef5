import { toBigInt } from 'ethers';
import type { NetworkType } from '../../../chains/network-type';
import type { Secret } from '../../../common/secrets/secret';
import { signerFailure } from '../../signer-failure';
import type { DigestSignature } from '../../../chains/evm/digest-signature';
import { type SignerProvider, SignerUnsuitableError } from '../../signer-provider';
import { recoverableSignature } from '../../key-services/recoverable-signature';
import { type CallLimits, RemoteCalls } from '../../key-services/remote-calls';
import { azureCredential } from './azure-key-vault.credential';
import { azureFailure } from './azure-key-vault.failure';
import { type AzureKey, azureKey, checkValidity } from './azure-key-vault.public-key';
import { type AzureSdk, loadAzureSdk } from './azure-key-vault.sdk';
import type { AzureSettings } from './azure-key-vault.config';
import { type AzureConnection, transportOptions } from './azure-key-vault.transport';

const ALGORITHM = 'ES256K';
/** The length of r ‖ s in IEEE P1363 format (RFC 8812 §3.2). */
const SIGNATURE_BYTES = 64;

interface OpenKey extends AzureKey {
  client: ReturnType<InstanceType<AzureSdk['KeyClient']>['getCryptographyClient']>;
}

/**
 * A secp256k1 key in Azure Key Vault or Managed HSM. It never leaves the service: each signature is a request.
 *
 * The key version is fixed when the signer is opened, even if none is configured, so that a rotation does not change
 * the account of a signer in use. The SDK caches and renews tokens.
 */
export class AzureKeyVaultSignerProvider implements SignerProvider {
  readonly isRemote = true;
  private readonly calls: RemoteCalls;
  private key: OpenKey | undefined;

  /**
   * @param clientSecret null if `auth_type` requires none
   * @param limits limits of each call; omitted in production
   */
  constructor(
    private readonly settings: AzureSettings,
    private readonly clientSecret: Secret | null,
    private readonly connection: AzureConnection,
    limits?: CallLimits,
  ) {
    this.calls = new RemoteCalls(limits);
  }

  /** @throws SignerFailure; DomainError `invalid_request` if Microsoft's packages are not installed */
  async init(): Promise<void> {
    const { key_name, key_version } = this.settings;
    const client = this.connect(await loadAzureSdk());
    const found = await this.call((abortSignal) =>
      client.getKey(key_name, { abortSignal, ...(key_version !== undefined && { version: key_version }) }),
    );
    const key = azureKey(found, key_version);
    checkValidity(key, new Date());
    // Shares the connection of `client`, which is already logged in: a new one loses the body of a request if several
    // start at the same time.
    this.key = { ...key, client: client.getCryptographyClient(key_name, { keyVersion: key.version }) };
  }

  async address(networkType: NetworkType): Promise<string> {
    if (networkType !== 'evm') throw new SignerUnsuitableError('azure_key_vault', networkType);
    return Promise.resolve(this.openKey().address);
  }

  /** @throws SignerFailure */
  async signDigest(digest: Uint8Array): Promise<DigestSignature> {
    const key = this.openKey();
    checkValidity(key, new Date());
    const { result } = await this.call((abortSignal) => key.client.sign(ALGORITHM, digest, { abortSignal }));
    if (!(result instanceof Uint8Array) || result.length !== SIGNATURE_BYTES) {
      throw signerFailure(
        'invalid_response',
        new Error(`Azure did not return a signature of ${SIGNATURE_BYTES} bytes`),
      );
    }
    const [r, s] = [toBigInt(result.subarray(0, 32)), toBigInt(result.subarray(32))];
    return recoverableSignature(digest, r, s, key.address);
  }

  destroy(): Promise<void> {
    this.key = undefined;
    return Promise.resolve();
  }

  private connect(sdk: AzureSdk): InstanceType<AzureSdk['KeyClient']> {
    const { disableChallengeResourceVerification = false } = this.connection;
    const credential = azureCredential(sdk, this.settings, this.clientSecret, this.connection);
    return new sdk.KeyClient(this.settings.vault_url, credential, {
      ...transportOptions(this.connection.http, 'key-service'),
      disableChallengeResourceVerification,
    });
  }

  private call<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.calls.run(async (signal) => {
      try {
        return await request(signal);
      } catch (error) {
        throw azureFailure(error);
      }
    });
  }

  private openKey(): OpenKey {
    if (!this.key) throw new Error('The signer is not open');
    return this.key;
  }
}
