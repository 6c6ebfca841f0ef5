import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { ADDRESS } from '../../chains/evm/address';
import { EIP712_NAME } from '../../chains/evm/typed-data/member-type';
import { JSON_OBJECT } from '../../common/openapi/envelope-schemas';

const HASH32 = '^(0x)?[0-9a-fA-F]{64}$';
const NAME = EIP712_NAME.source;

/** EIP-712 data whose two hashes the caller has computed. */
export class TypedDataHashesDto {
  /** hashStruct of the domain, 32 bytes of hex. */
  @ApiProperty({
    pattern: HASH32,
    example: '0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f',
  })
  domain_separator!: string;

  /** hashStruct of the message, 32 bytes of hex. */
  @ApiProperty({
    pattern: HASH32,
    example: '0xc52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e',
  })
  hash_struct_message!: string;
}

export class TypedDataMemberDto {
  @ApiProperty({ pattern: NAME, example: 'contents' })
  name!: string;

  /** An atomic type, a name of `types`, or arrays of either. */
  @ApiProperty({ minLength: 1, maxLength: 512, example: 'string' })
  type!: string;
}

/** EIP-712 data in the form of `eth_signTypedData_v4`: at most 256 KiB, 10 000 values, 32 levels. */
@ApiExtraModels(TypedDataMemberDto)
export class FullTypedDataDto {
  /** The members of the domain, at least one. A `chainId` must be that of the relayer's network. */
  @ApiProperty({
    title: 'TypedDataDomain',
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    properties: {
      name: { type: 'string' },
      version: { type: 'string' },
      chainId: {
        oneOf: [
          { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
          { type: 'string', pattern: '^(0|[1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$' },
        ],
      },
      verifyingContract: { type: 'string', pattern: ADDRESS.source },
      salt: { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' },
    },
    example: { name: 'Ether Mail', version: '1' },
  })
  domain!: object;

  /** Each struct that `primaryType` needs, with its members. `EIP712Domain` may be among them. */
  @ApiProperty({
    title: 'TypedDataTypes',
    type: 'object',
    additionalProperties: { type: 'array', items: { $ref: getSchemaPath(TypedDataMemberDto) } },
    example: { Mail: [{ name: 'contents', type: 'string' }] },
  })
  types!: object;

  @ApiProperty({ pattern: NAME, example: 'Mail' })
  primaryType!: string;

  /** Exactly the members of `primaryType`. Integers beyond 2^53-1 are decimal or `0x` strings. */
  @ApiProperty({ allOf: [JSON_OBJECT], example: { contents: 'Hello, Bob!' } })
  message!: object;
}

/** The two forms of typed data. */
export const TYPED_DATA_FORMS = [TypedDataHashesDto, FullTypedDataDto];

export const typedDataSchema = (): { oneOf: { $ref: string }[] } => ({
  oneOf: TYPED_DATA_FORMS.map((form) => ({ $ref: getSchemaPath(form) })),
});
