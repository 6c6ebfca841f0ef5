import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, Matches } from 'class-validator';

/** Entries of `rpc_methods` of a network. @limit Stored objects */
const MAX_METHODS = 128;

/** The OpenAPI schema of a list of JSON-RPC methods. */
export const RPC_METHOD_LIST_SCHEMA: ApiPropertyOptions = {
  type: 'array',
  maxItems: MAX_METHODS,
  uniqueItems: true,
  items: { type: 'string', pattern: '^[A-Za-z0-9_]{1,64}$' },
  nullable: true,
  example: ['read', 'eth_sendRawTransaction'],
};

/** Names of JSON-RPC methods, or `read` for all read-only methods. */
export function IsRpcMethodList(): PropertyDecorator {
  return applyDecorators(
    IsArray(),
    ArrayMaxSize(MAX_METHODS),
    Matches(/^[A-Za-z0-9_]{1,64}$/, {
      each: true,
      message: 'each item of $property must be the name of a JSON-RPC method',
    }),
    ArrayUnique({ message: '$property must not hold an item twice' }),
  );
}
