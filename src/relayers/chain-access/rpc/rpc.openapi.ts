import { JSON_OBJECT } from '../../../common/openapi/envelope-schemas';

// OpenAPI 3.0 allows `nullable` only next to a type.
const ID = { oneOf: [{ type: 'string', nullable: true }, { type: 'integer' }] };

const CALL = {
  title: 'RpcCall',
  type: 'object',
  required: ['method'],
  properties: {
    jsonrpc: { type: 'string', example: '2.0' },
    id: { ...ID, description: '1 if omitted.', example: 1 },
    method: { type: 'string', minLength: 1, maxLength: 64, example: 'eth_blockNumber' },
    params: { example: [] },
  },
};

const RESPONSE = {
  title: 'RpcResult',
  type: 'object',
  required: ['jsonrpc', 'id'],
  properties: {
    jsonrpc: { type: 'string', pattern: '^2\\.0$', example: '2.0' },
    id: ID,
    result: { example: '0x10d4f' },
    error: {
      description: 'As the node sent it: `code`, `message`, and what the node adds, often `data`.',
      allOf: [JSON_OBJECT],
    },
  },
};

export const RPC_REQUEST_SCHEMA = {
  oneOf: [CALL, { type: 'array', minItems: 1, maxItems: 100, items: CALL }],
};

export const RPC_RESPONSE_SCHEMA = { oneOf: [RESPONSE, { type: 'array', items: RESPONSE }] };
