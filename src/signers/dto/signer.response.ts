import { ApiProperty } from '@nestjs/swagger';
import { JSON_OBJECT } from '../../common/openapi/envelope-schemas';
import { IDENTIFIER } from '../../common/validation/fields';
import type { SignerIdentity } from '../signer-identity';
import type { SignerEntity } from '../signer.entity';

/** A signer as shown to callers: how its key is accessed, never the key or a credential. */
export class SignerResponse {
  @ApiProperty({ pattern: IDENTIFIER.source, example: 'treasury-key' })
  id!: string;

  @ApiProperty({ example: 'aws_kms' })
  type!: string;

  @ApiProperty({
    allOf: [JSON_OBJECT],
    example: { region: 'eu-west-1', key_id: 'alias/treasury' },
  })
  config!: Record<string, unknown>;

  /** On EVM networks, EIP-55. */
  @ApiProperty({ example: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' })
  address!: string;

  /** SEC 1, uncompressed. */
  @ApiProperty({ pattern: '^0x04[0-9a-f]{128}$' })
  public_key!: string;
}

export function toSignerResponse(signer: SignerEntity, identity: SignerIdentity): SignerResponse {
  return {
    id: signer.id,
    type: signer.kind,
    config: nested(signer.settings),
    address: identity.address,
    public_key: identity.publicKey,
  };
}

/** Settings are stored flat (`key.location`) and returned in their original form (`{key: {location}}`). */
function nested(settings: SignerEntity['settings']): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(settings)) {
    const [first = '', ...rest] = path.split('.');
    if (rest.length === 0) config[first] = value;
    else config[first] = { ...(config[first] as object | undefined), [rest.join('.')]: value };
  }
  return config;
}
