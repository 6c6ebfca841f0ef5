import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '../../../outbound/outbound-http';
import { SignerKind } from '../../signer-kinds';
import type { SignerMaterial, SignerProvider, SignerProviderFactory } from '../../signer-provider';
import { assertStoredAddress } from '../../key-services/stored-address';
import { awsKmsSdk, AwsKmsClients } from './aws-kms.clients';
import { isAwsRegion, parseAwsKmsConfig, REGION_RULE } from './aws-kms.config';
import { AwsKmsSignerProvider } from './aws-kms.provider';

/** Keys in AWS KMS, configured as `{key_id, region?}`. The credentials are those of the service's environment. */
@Injectable()
@SignerKind('aws_kms')
export class AwsKmsSignerFactory implements SignerProviderFactory {
  private readonly clients: AwsKmsClients;

  constructor(http: OutboundHttp) {
    this.clients = new AwsKmsClients(http);
  }

  /** Stores the region as well, so that the signer keeps its key if the environment changes. */
  async prepare(config: unknown): Promise<SignerMaterial> {
    const { key_id, region } = parseAwsKmsConfig(config);
    await awsKmsSdk();
    return { settings: { key_id, region: region ?? (await this.clients.ambientRegion()) }, secret: null };
  }

  open({ settings: { key_id, region } }: SignerMaterial): SignerProvider {
    if (typeof key_id !== 'string' || typeof region !== 'string') {
      throw new Error('A signer of AWS KMS is stored without its key id or region');
    }
    assertStoredAddress('region', isAwsRegion(region) ? undefined : `must be ${REGION_RULE}`);
    return new AwsKmsSignerProvider({ key_id, region }, this.clients);
  }
}
