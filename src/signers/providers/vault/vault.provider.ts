import type { NetworkType } from '../../../common/networks/network-type';
import { Secret } from '../../../common/secrets/secret';
import type { OutboundHttp } from '../../../outbound/outbound-http';
import { signerFailure } from '../../signer-failure';
import type { DigestSignature, SignerProvider } from '../../signer-provider';
import { InMemoryKey } from '../local/in-memory-key';
import type { Secp256k1Engine } from '../local/secp256k1/secp256k1-engine';
import { type CallLimits, RemoteCalls } from '../remote/remote-calls';
import type { AppRole, VaultSettings } from './vault-settings';
import { VaultClient } from './vault-client';

/**
 * A key that lies in a KV version 2 engine of HashiCorp Vault, in the field `value` of a secret, as 64 hex digits.
 *
 * It is read once, when the signer is opened, and held in memory until the signer is closed. The token of the login
 * serves that one read and is not kept, so there is nothing to renew; a key that changes in Vault is seen when the
 * signer is opened again. Nothing is retried: whoever needs the signer next opens it anew.
 */
export class VaultSignerProvider implements SignerProvider {
  readonly isRemote = false;
  private readonly client: VaultClient;
  private readonly calls: RemoteCalls;
  private key: InMemoryKey | undefined;

  /** @param limits for each of the two requests; left out in production */
  constructor(
    private readonly settings: VaultSettings,
    private readonly appRole: AppRole,
    private readonly engine: Secp256k1Engine,
    http: OutboundHttp,
    limits?: CallLimits,
  ) {
    this.client = new VaultClient(settings, http);
    this.calls = new RemoteCalls(limits);
  }

  /** @throws SignerFailure, `invalid_answer` when the secret is not a private key */
  async init(): Promise<void> {
    const { mount_point, key_name } = this.settings;
    const token = await this.calls.run((signal) => this.client.login(this.appRole, signal));
    const fields = await this.calls.run((signal) =>
      this.client.readSecret(mount_point, key_name, token, signal),
    );
    this.key = privateKey(fields, this.engine);
  }

  async address(networkType: NetworkType): Promise<string> {
    return Promise.resolve(this.openKey().address(networkType));
  }

  /** Deterministic (RFC 6979), low s; asks nobody. */
  async signDigest(digest: Uint8Array): Promise<DigestSignature> {
    return Promise.resolve(this.openKey().sign(digest));
  }

  destroy(): Promise<void> {
    this.key?.destroy();
    this.key = undefined;
    return Promise.resolve();
  }

  private openKey(): InMemoryKey {
    if (!this.key) throw new Error('The signer is not open');
    return this.key;
  }
}

function privateKey(fields: unknown, engine: Secp256k1Engine): InMemoryKey {
  const { value } = (fields ?? {}) as { value?: unknown };
  const digits = typeof value === 'string' ? /^(?:0x)?([0-9a-fA-F]{64})$/.exec(value)?.[1] : undefined;
  if (digits === undefined) {
    throw signerFailure(
      'invalid_answer',
      new Error('The field value of the secret in Vault is not 64 hex digits'),
    );
  }
  try {
    return new InMemoryKey(new Secret(digits), engine);
  } catch (error) {
    throw signerFailure('invalid_answer', error);
  }
}
