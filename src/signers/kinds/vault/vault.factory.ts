import { Injectable } from '@nestjs/common';
import { invalidRequest } from '../../../common/errors/domain-error';
import { OutboundGuard } from '../../../outbound/outbound-guard';
import { OutboundHttp } from '../../../outbound/outbound-http';
import { SignerKind } from '../../signer-kinds';
import type {
  SignerMaterial,
  SignerProvider,
  SignerProviderFactory,
  SignerSources,
} from '../../signer-provider';
import { Secp256k1Engine } from '../../secp256k1/secp256k1-engine';
import { ConfigReader, isOrigin, type TextRule } from '../../key-services/config-reader';
import { assertStoredAddress } from '../../key-services/stored-address';
import { packAppRole, unpackAppRole, type VaultSettings } from './vault.config';
import { VaultSignerProvider } from './vault.provider';

const FIELDS = ['address', 'namespace', 'role_id', 'secret_id', 'key_name', 'mount_point'] as const;
const ADDRESS_RULE =
  'an https URL of a host, such as https://vault.example.com:8200 (http for a loopback address only)';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const isSecure = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || LOOPBACK.has(hostname);

/** Names separated by slashes, none of them `.` or `..`, so that the path is requested literally. */
const PATH = /^(?=.{1,255}$)(?!\.{1,2}(?:\/|$))[\w.-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)*$/;
const path = (what: string): TextRule => ({
  pattern: PATH,
  text: `${what}, of at most 255 characters: letters, digits, ".", "_" and "-", with "/" between the parts`,
});

const KEY_NAME = path('the path of a secret');
const MOUNT_POINT = path('the path of a KV version 2 engine');
const NAMESPACE: TextRule = {
  pattern: /^[\w.-][\w./-]{0,255}$/,
  text: 'the path of a namespace: letters, digits, ".", "_", "-" and "/"',
};

/** Keys in HashiCorp Vault, which are held in memory while the signer is open. */
@Injectable()
@SignerKind('vault')
export class VaultSignerFactory implements SignerProviderFactory {
  constructor(
    private readonly engine: Secp256k1Engine,
    private readonly http: OutboundHttp,
    private readonly guard: OutboundGuard,
  ) {}

  async prepare(config: unknown, sources: SignerSources): Promise<SignerMaterial> {
    const fields = new ConfigReader(config, FIELDS);
    const namespace = fields.optionalText('namespace', NAMESPACE);
    const settings = {
      address: fields.origin('address', isSecure, ADDRESS_RULE),
      ...(namespace !== undefined && { namespace }),
      mount_point: fields.optionalText('mount_point', MOUNT_POINT) ?? 'secret',
      key_name: fields.text('key_name', KEY_NAME),
    } satisfies VaultSettings;
    const refusal = this.refusalOf(settings.address);
    if (refusal !== undefined) throw invalidRequest(`config.address ${refusal}`);
    const secret = packAppRole({
      roleId: fields.secret('role_id', sources),
      secretId: fields.secret('secret_id', sources),
    });
    return Promise.resolve({ settings, secret });
  }

  open(material: SignerMaterial): SignerProvider {
    assertStoredAddress('address', this.refusalOf(material.settings.address));
    if (!material.secret) throw new Error('A signer of kind vault is stored without its AppRole');
    return new VaultSignerProvider(
      material.settings as unknown as VaultSettings,
      unpackAppRole(material.secret),
      this.engine,
      this.http,
    );
  }

  private refusalOf(address: unknown): string | undefined {
    return isOrigin(address, isSecure)
      ? this.guard.refusalOf(address, 'key-service')
      : `must be ${ADDRESS_RULE}`;
  }
}
