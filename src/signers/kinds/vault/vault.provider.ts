import type { Secret } from '../../../common/secrets/secret';
import type { OutboundHttp } from '../../../outbound/outbound-http';
import { signerFailure } from '../../signer-failure';
import { InMemorySignerProvider } from '../local/in-memory.provider';
import { InMemoryKey } from '../local/in-memory-key';
import type { Secp256k1Engine } from '../../secp256k1/secp256k1-engine';
import { type CallLimits, RemoteCalls } from '../../key-services/remote-calls';
import type { AppRole, VaultSettings } from './vault.config';
import { VaultClient } from './vault.client';

/**
 * A key in a KV version 2 engine of HashiCorp Vault, in the field `value` of a secret, as 64 hex digits.
 *
 * It is read once, when the signer is opened, and held in memory until the signer is closed. The login token is only
 * used for that read, so there is nothing to renew; a change of the key in Vault takes effect when the signer is
 * reopened. Nothing is retried: the next use of the signer opens it again.
 */
export class VaultSignerProvider extends InMemorySignerProvider {
  private readonly client: VaultClient;
  private readonly calls: RemoteCalls;

  /** @param limits limits of each of the two requests; omitted in production */
  constructor(
    private readonly settings: VaultSettings,
    private readonly appRole: AppRole,
    private readonly engine: Secp256k1Engine,
    http: OutboundHttp,
    limits?: CallLimits,
  ) {
    super();
    this.client = new VaultClient(settings, http);
    this.calls = new RemoteCalls(limits);
  }

  /** @throws SignerFailure, `invalid_response` if the secret is not a private key */
  async init(): Promise<void> {
    const { mount_point, key_name } = this.settings;
    const token = await this.login();
    try {
      const key = await this.calls.run((signal) => this.client.readKey(mount_point, key_name, token, signal));
      this.key = privateKey(key, this.engine);
    } finally {
      token.destroy();
    }
  }

  /** Destroys the AppRole afterwards, because it is only used once. */
  private async login(): Promise<Secret> {
    try {
      return await this.calls.run((signal) => this.client.login(this.appRole, signal));
    } finally {
      this.appRole.roleId.destroy();
      this.appRole.secretId.destroy();
    }
  }
}

/** @param digits destroyed afterwards */
function privateKey(digits: Secret, engine: Secp256k1Engine): InMemoryKey {
  try {
    return new InMemoryKey(digits, engine);
  } catch (error) {
    throw signerFailure('invalid_response', error);
  } finally {
    digits.destroy();
  }
}
