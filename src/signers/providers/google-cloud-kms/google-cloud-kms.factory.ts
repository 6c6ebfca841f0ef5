import { Injectable } from '@nestjs/common';
import type { Secret } from '../../../common/secrets/secret';
import { SignerKind } from '../../signer-kinds';
import type {
  SignerMaterial,
  SignerProvider,
  SignerProviderFactory,
  SignerSources,
} from '../../signer-provider';
import { type GoogleAccount, GoogleCloudKmsClients, googleCloudKmsSdk } from './google-cloud-kms.clients';
import { parseGoogleCloudKmsConfig } from './google-cloud-kms.config';
import { GoogleCloudKmsSignerProvider } from './google-cloud-kms.provider';

type Settings = SignerMaterial['settings'];

/**
 * Keys in Google Cloud KMS. Configured as `{key, service_account?, project_id?}`; without a service account,
 * credentials are those of the service's own environment (workload identity, metadata server, credentials file).
 */
@Injectable()
@SignerKind('google_cloud_kms')
export class GoogleCloudKmsSignerFactory implements SignerProviderFactory {
  private readonly clients = new GoogleCloudKmsClients();

  async prepare(config: unknown, sources: SignerSources): Promise<SignerMaterial> {
    const material = parseGoogleCloudKmsConfig(config, sources);
    await googleCloudKmsSdk();
    return material;
  }

  open({ settings, secret }: SignerMaterial): SignerProvider {
    const key = { name: keyName(settings), account: accountOf(settings, secret) };
    return new GoogleCloudKmsSignerProvider(key, this.clients);
  }
}

function keyName(settings: Settings): string {
  const [location, ring, key] = ['location', 'key_ring_id', 'key_id'].map((name) =>
    stored(settings, `key.${name}`),
  );
  const version = String(settings['key.key_version']);
  return `projects/${projectOf(settings)}/locations/${location}/keyRings/${ring}/cryptoKeys/${key}/cryptoKeyVersions/${version}`;
}

function accountOf(settings: Settings, privateKey: Secret | null): GoogleAccount {
  const projectId = projectOf(settings);
  if (!privateKey) return { projectId };
  return {
    projectId,
    serviceAccount: {
      privateKey,
      clientEmail: stored(settings, 'service_account.client_email'),
      privateKeyId: optional(settings, 'service_account.private_key_id'),
      universeDomain: optional(settings, 'service_account.universe_domain'),
    },
  };
}

/** A key may be in another project than the service account that uses it. */
function projectOf(settings: Settings): string {
  return optional(settings, 'project_id') ?? stored(settings, 'service_account.project_id');
}

function stored(settings: Settings, name: string): string {
  const value = optional(settings, name);
  if (value === undefined) throw new Error(`A signer of Google Cloud KMS is stored without ${name}`);
  return value;
}

function optional(settings: Settings, name: string): string | undefined {
  const value = settings[name];
  return typeof value === 'string' ? value : undefined;
}
