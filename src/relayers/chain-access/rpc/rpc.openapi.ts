// OpenAPI 3.0 has `nullable` only beside a type.
const ID = { oneOf: [{ type: 'string', nullable: true }, { type: 'integer' }] };

const CALL = {
  type: 'object',
  required: ['method'],
  properties: {
    jsonrpc: { type: 'string', example: '2.0' },
    id: { ...ID, description: '1 where it is omitted.', example: 1 },
    method: { type: 'string', minLength: 1, maxLength: 64, example: 'eth_blockNumber' },
    params: { example: [] },
  },
};

const RESPONSE = {
  type: 'object',
  required: ['jsonrpc', 'id'],
  properties: {
    jsonrpc: { type: 'string', enum: ['2.0'] },
    id: ID,
    result: { example: '0x10d4f' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      description: 'As the node sent it; some nodes add members.',
      additionalProperties: true,
      properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} },
    },
  },
};

export const RPC_REQUEST_SCHEMA = {
  oneOf: [CALL, { type: 'array', minItems: 1, maxItems: 100, items: CALL }],
};

export const RPC_RESPONSE_SCHEMA = { oneOf: [RESPONSE, { type: 'array', items: RESPONSE }] };
