import { Injectable } from '@nestjs/common';
import { invalidRequest } from '../../../common/errors/domain-error';
import type { Secret } from '../../../common/secrets/secret';
import { OutboundGuard } from '../../../outbound/outbound-guard';
import { OutboundHttp } from '../../../outbound/outbound-http';
import { signerFailure } from '../../signer-failure';
import { SignerKind } from '../../signer-kinds';
import type {
  SignerMaterial,
  SignerProvider,
  SignerProviderFactory,
  SignerSources,
} from '../../signer-provider';
import {
  ambientUniverse,
  type GoogleAccount,
  GoogleCloudKmsClients,
  googleCloudKmsSdk,
  UNIVERSE_VARIABLE,
} from './google-cloud-kms.clients';
import { DOMAIN_RULE, isDomain, parseGoogleCloudKmsConfig } from './google-cloud-kms.config';
import { GoogleCloudKmsSignerProvider } from './google-cloud-kms.provider';

const UNIVERSE = 'service_account.universe_domain';
/** The service is `cloudkms` below one of these domains. Google's other clouds must be allowed explicitly. */
const GOOGLE_DOMAINS = ['googleapis.com'];

type Settings = SignerMaterial['settings'];

/**
 * Keys in Google Cloud KMS, configured as `{key, service_account?, project_id?}`. Without a service account, the
 * credentials are those of the service's environment (workload identity, metadata server, credentials file).
 */
@Injectable()
@SignerKind('google_cloud_kms')
export class GoogleCloudKmsSignerFactory implements SignerProviderFactory {
  private readonly clients: GoogleCloudKmsClients;

  constructor(
    http: OutboundHttp,
    private readonly guard: OutboundGuard,
  ) {
    this.clients = new GoogleCloudKmsClients(http);
  }

  async prepare(config: unknown, sources: SignerSources): Promise<SignerMaterial> {
    const material = parseGoogleCloudKmsConfig(config, sources);
    const refusal = this.refusalOf(material);
    if (refusal !== undefined) throw invalidRequest(refusal);
    await googleCloudKmsSdk();
    return material;
  }

  open(material: SignerMaterial): SignerProvider {
    const refusal = this.refusalOf(material);
    if (refusal !== undefined) throw signerFailure('address_refused', new Error(refusal));
    const { settings, secret } = material;
    const key = { name: keyName(settings), account: accountOf(settings, secret) };
    return new GoogleCloudKmsSignerProvider(key, this.clients);
  }

  /** @returns the setting or variable that names the universe, and why it may not be called */
  private refusalOf({ settings, secret }: SignerMaterial): string | undefined {
    const [name, universe] = secret
      ? [`config.${UNIVERSE}`, settings[UNIVERSE]]
      : [UNIVERSE_VARIABLE, ambientUniverse()];
    if (universe === undefined) return undefined;
    const refusal = isDomain(universe)
      ? this.guard.refusalOutside(GOOGLE_DOMAINS, `https://cloudkms.${universe}`)
      : `must be ${DOMAIN_RULE}`;
    return refusal === undefined ? undefined : `${name} ${refusal}`;
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
      universeDomain: optional(settings, UNIVERSE),
    },
  };
}

/** A key may be in a different project from the service account that uses it. */
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
