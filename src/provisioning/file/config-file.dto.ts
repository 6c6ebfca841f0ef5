import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsObject, IsOptional, ValidateNested } from 'class-validator';
import { NETWORK_TYPES, type NetworkType } from '../../chains/network-type';
import { IsIdentifier, IsOneOf, IsText } from '../../common/validation/fields';
import { IsHttpUrl } from '../../common/validation/http-url';
import { IsRpcUrlList, type RpcUrlDto } from '../../networks/dto/rpc-url.dto';
import { NOTIFICATION_TYPES } from '../../notifications/dto/create-notification.dto';

/** `{type: "env", value: "NAME"}` or `{type: "plain", value: "…"}`. */
export class SecretReferenceDto {
  @IsIn(['env', 'plain'], { message: '$property must be env or plain' })
  type!: 'env' | 'plain';

  @IsText(1, 4096)
  value!: string;
}

export class ConfiguredSignerDto {
  @IsIdentifier()
  id!: string;

  @IsText(1, 32)
  type!: string;

  /** Checked by the kind of signer. */
  @IsObject()
  config!: object;
}

export class ConfiguredNotificationDto {
  @IsIdentifier()
  id!: string;

  @IsIn(NOTIFICATION_TYPES, { message: '$property must be webhook' })
  type!: 'webhook';

  @IsHttpUrl({ userInfo: false })
  url!: string;

  @IsOptional()
  @IsObject()
  @Type(() => SecretReferenceDto)
  @ValidateNested()
  signing_key?: SecretReferenceDto | null;
}

export class ConfiguredRelayerDto {
  @IsIdentifier()
  id!: string;

  @IsText(1, 255)
  name!: string;

  @IsText(1, 64)
  network!: string;

  @IsOneOf(NETWORK_TYPES)
  network_type!: NetworkType;

  @IsBoolean()
  paused!: boolean;

  @IsIdentifier()
  signer_id!: string;

  @IsOptional()
  @IsIdentifier()
  group?: string | null;

  @IsOptional()
  @IsIdentifier()
  notification_id?: string | null;

  /** Checked by the variant of the network type. */
  @IsOptional()
  @IsObject()
  policies?: object | null;

  /** A plain string is an endpoint with the default weight. */
  @IsOptional()
  @IsRpcUrlList()
  custom_rpc_urls?: RpcUrlDto[] | null;
}

/** The file of `CONFIG_FILE`. */
export class ConfigFileDto {
  @ObjectList(() => ConfiguredSignerDto)
  signers?: ConfiguredSignerDto[] | null;

  @ObjectList(() => ConfiguredNotificationDto)
  notifications?: ConfiguredNotificationDto[] | null;

  @ObjectList(() => ConfiguredRelayerDto)
  relayers?: ConfiguredRelayerDto[] | null;

  /** A list of networks or the path of a folder with such lists; see `configured-networks.ts`. */
  @IsOptional()
  networks?: unknown;

  /** Other products' extensions; not used here. */
  @IsOptional()
  plugins?: unknown;
}

function ObjectList(type: () => new () => object): PropertyDecorator {
  return applyDecorators(
    ValidateNested({ each: true }),
    Type(type),
    IsObject({ each: true, message: 'each item of $property must be an object' }),
    IsArray(),
    IsOptional(),
  );
}
