import { IsObject, IsOptional } from 'class-validator';
import { NETWORK_TYPES, type NetworkType } from '../../chains/network-type';
import { NetworkFieldsDto } from './network-fields.dto';
import { IsNetworkName } from './network-name.rule';
import { IsOneOf } from '../../common/validation/fields';

/** A network in a configuration file or a built-in data file. */
export class NetworkDefinitionDto extends NetworkFieldsDto {
  @IsNetworkName()
  network!: string;

  @IsOneOf(NETWORK_TYPES)
  type!: NetworkType;

  /** Name of the network of the same type to inherit from. */
  @IsOptional()
  @IsNetworkName()
  from?: string | null;

  /** A setting of other products that read such files; not used here. */
  @IsOptional()
  @IsObject()
  gas_price_cache?: object | null;
}
