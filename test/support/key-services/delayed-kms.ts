import { randomUUID } from 'node:crypto';
import { type DynamicModule, Injectable } from '@nestjs/common';
import { SigningKey } from 'ethers';
import { OutboundHttp } from '../../../src/outbound/outbound-http';
import { OutboundModule } from '../../../src/outbound/outbound.module';
import { AwsKmsClients } from '../../../src/signers/kinds/aws-kms/aws-kms.clients';
import { AwsKmsSignerProvider } from '../../../src/signers/kinds/aws-kms/aws-kms.provider';
import { SignerKind } from '../../../src/signers/signer-kinds';
import type {
  SignerMaterial,
  SignerProvider,
  SignerProviderFactory,
} from '../../../src/signers/signer-provider';
import { AwsKmsStandIn } from './aws-kms.stand-in';

const REGION = 'eu-central-1';

/** A slow key service, and a kind of signer for its keys. */
export class DelayedKms extends AwsKmsStandIn {
  static readonly kind = 'delayed_kms';

  private constructor(private readonly ownKeyId: string) {
    super(new SigningKey(`0x${'4c'.repeat(32)}`), ownKeyId, new SigningKey(`0x${'5d'.repeat(32)}`));
  }

  static async create(): Promise<DelayedKms> {
    process.env.AWS_EC2_METADATA_DISABLED = 'true';
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
    const service = await new DelayedKms(randomUUID()).start();
    DelayedKmsFactory.endpoints.set(service.ownKeyId, service.url);
    return service;
  }

  /** The stored form of a signer with its key. */
  get material(): SignerMaterial {
    return { settings: { key_id: this.ownKeyId, region: REGION }, secret: null };
  }

  /** Adds the kind to an application. */
  static readonly root = (module: DynamicModule): DynamicModule => ({
    ...module,
    imports: [...(module.imports ?? []), OutboundModule],
    providers: [...(module.providers ?? []), DelayedKmsFactory],
  });
}

@Injectable()
@SignerKind(DelayedKms.kind)
class DelayedKmsFactory implements SignerProviderFactory {
  static readonly endpoints = new Map<string, string>();

  constructor(private readonly http: OutboundHttp) {}

  prepare(): Promise<SignerMaterial> {
    return Promise.reject(new Error('Signers of this kind are stored by tests'));
  }

  open({ settings: { key_id } }: SignerMaterial): SignerProvider {
    const keyId = String(key_id);
    const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
    const clients = new AwsKmsClients(this.http, {
      endpoint: DelayedKmsFactory.endpoints.get(keyId) ?? '',
      credentials,
    });
    return new AwsKmsSignerProvider({ key_id: keyId, region: REGION }, clients);
  }
}
