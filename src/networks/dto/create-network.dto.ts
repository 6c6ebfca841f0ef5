import { ApiProperty } from '@nestjs/swagger';
import { oneOfEnum } from '../../common/openapi/schemas';
import { NETWORK_TYPES, type NetworkType } from '../../chains/network-type';
import { NetworkFieldsDto } from './network-fields.dto';
import { IsNetworkName, NETWORK_NAME_PATTERN } from './network-name.rule';
import { IsOneOf } from '../../common/validation/fields';

/** A new network; its id is `network_type:name`. */
export class CreateNetworkDto extends NetworkFieldsDto {
  @ApiProperty({ pattern: NETWORK_NAME_PATTERN, example: 'my-rollup' })
  @IsNetworkName()
  name!: string;

  @ApiProperty(oneOfEnum('NetworkType', NETWORK_TYPES))
  @IsOneOf(NETWORK_TYPES)
  network_type!: NetworkType;
}
