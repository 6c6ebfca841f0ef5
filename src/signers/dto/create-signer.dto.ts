import { ApiProperty } from '@nestjs/swagger';
import { JSON_OBJECT } from '../../common/openapi/envelope-schemas';
import { IsObject } from 'class-validator';
import { IsText, textSchema } from '../../common/validation/fields';
import { OptionalIdentifier } from '../../common/validation/members';

/** A new signer. */
export class CreateSignerDto {
  /** A UUID v4 if omitted. */
  @OptionalIdentifier('treasury-key')
  id?: string | null;

  /** `plain`, `keystore`, `aws_kms`, `google_cloud_kms`, `azure_key_vault`, `vault`, or a kind that a module adds. Not `local`, which reads a file of the server. */
  @ApiProperty({ ...textSchema(1, 32), example: 'keystore' })
  @IsText(1, 32)
  type!: string;

  /** What the kind needs to access its key; see docs/custody.md. */
  @ApiProperty({
    allOf: [JSON_OBJECT],
    example: { region: 'eu-west-1', key_id: 'alias/treasury' },
  })
  @IsObject()
  config!: object;
}

/** Signers are never changed: the body has no fields. */
export class UpdateSignerDto {}
