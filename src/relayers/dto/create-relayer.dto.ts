import { ApiProperty, PickType } from '@nestjs/swagger';
import { oneOfEnum } from '../../common/openapi/schemas';
import { IsBoolean } from 'class-validator';
import { NETWORK_TYPES, type NetworkType } from '../../chains/network-type';
import { IDENTIFIER, IsIdentifier, IsOneOf, IsText, textSchema } from '../../common/validation/fields';
import { OptionalIdentifier } from '../../common/validation/members';
import { UpdateRelayerDto } from './update-relayer.dto';

/** A relayer to create. Its policies are those of its network type. */
export class CreateRelayerDto extends PickType(UpdateRelayerDto, [
  'group',
  'policies',
  'notification_id',
  'custom_rpc_urls',
]) {
  /** A UUID v4 if omitted. */
  @OptionalIdentifier('treasury')
  id?: string | null;

  @ApiProperty({ ...textSchema(1, 255), example: 'Treasury' })
  @IsText(1, 255)
  name!: string;

  /** The name of a network of this type. */
  @ApiProperty({ ...textSchema(1, 64), example: 'sepolia' })
  @IsText(1, 64)
  network!: string;

  @ApiProperty(oneOfEnum('NetworkType', NETWORK_TYPES))
  @IsOneOf(NETWORK_TYPES)
  network_type!: NetworkType;

  @ApiProperty({ example: false })
  @IsBoolean()
  paused!: boolean;

  /** A signer serves one relayer per network. On EVM, an address on a chain id has one relayer. */
  @ApiProperty({ pattern: IDENTIFIER.source, example: 'treasury-key' })
  @IsIdentifier()
  signer_id!: string;
}
