import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, IsOptional, Matches } from 'class-validator';

/** Tags, or features, of a network. @limit Stored objects */
const MAX_LABELS = 32;
/** Entries of `rpc_methods` of a network. @limit Stored objects */
const MAX_METHODS = 128;

export const LabelList = (example: string[]): PropertyDecorator =>
  NameList(MAX_LABELS, /^[A-Za-z0-9_-]{1,32}$/, '1 to 32 letters, digits, dashes or underscores', example);

/** Names of JSON-RPC methods, or `read` for all read-only methods. */
export const RpcMethodList = (): PropertyDecorator =>
  NameList(MAX_METHODS, /^[A-Za-z0-9_]{1,64}$/, 'the name of a JSON-RPC method', [
    'read',
    'eth_sendRawTransaction',
  ]);

function NameList(maxItems: number, pattern: RegExp, rule: string, example: string[]): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string', pattern: pattern.source },
      maxItems,
      uniqueItems: true,
      nullable: true,
      example,
    }),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(maxItems),
    Matches(pattern, { each: true, message: `each item of $property must be ${rule}` }),
    ArrayUnique({ message: '$property must not hold an item twice' }),
  );
}
