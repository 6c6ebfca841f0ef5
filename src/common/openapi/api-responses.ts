import { applyDecorators, HttpStatus, type Type } from '@nestjs/common';
import { ApiBearerAuth, ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';

/** Failures of every route with a token. */
const COMMON_FAILURES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

const metadata = {
  type: 'object',
  required: ['logs', 'traces'],
  description: 'Present only when the handler recorded something about the request.',
  properties: {
    logs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['level', 'message'],
        properties: { level: { type: 'string' }, message: { type: 'string' } },
      },
    },
    traces: { type: 'array', items: {} },
  },
};

const pagination = {
  type: 'object',
  required: ['current_page', 'per_page', 'total_items'],
  properties: {
    current_page: { type: 'integer', minimum: 1, example: 1 },
    per_page: { type: 'integer', minimum: 0, example: 10 },
    total_items: { type: 'integer', minimum: 0, example: 1 },
  },
};

const cursorPagination = {
  type: 'object',
  required: ['next_cursor', 'per_page'],
  properties: {
    next_cursor: {
      type: 'string',
      nullable: true,
      description: 'The `cursor` of the next request; null at the end of the list.',
      example: null,
    },
    per_page: { type: 'integer', minimum: 0, example: 10 },
  },
};

/** Documents the success envelope of one resource. */
export function ApiEnvelope(model: Type, status = HttpStatus.OK): MethodDecorator {
  return envelope(model, status, { $ref: getSchemaPath(model) });
}

/** Documents the success envelope of a fixed text. */
export function ApiEnvelopeText(text: string): MethodDecorator {
  return ApiResponse({
    status: HttpStatus.OK,
    description: 'Success',
    schema: envelopeSchema({ type: 'string', enum: [text] }),
  });
}

/** Documents the success envelope of a list that is not paged. */
export function ApiEnvelopeList(model: Type, status = HttpStatus.OK): MethodDecorator {
  return envelope(model, status, { type: 'array', items: { $ref: getSchemaPath(model) } });
}

/** Documents the success envelope of a list that is read by page or by cursor. */
export function ApiEnvelopePage(model: Type): MethodDecorator {
  return envelope(
    model,
    HttpStatus.OK,
    { type: 'array', items: { $ref: getSchemaPath(model) } },
    { pagination: { oneOf: [pagination, cursorPagination] } },
  );
}

/** Documents the success envelope of a page that is read by cursor. */
export function ApiEnvelopeCursorPage(model: Type): MethodDecorator {
  return envelope(
    model,
    HttpStatus.OK,
    { type: 'array', items: { $ref: getSchemaPath(model) } },
    { pagination: cursorPagination },
  );
}

/**
 * Documents the failures of a route with a token: those of all routes, and its `own` statuses with their short texts. 403
 * `Forbidden` is among them: every such route requires a scope.
 */
export function ApiFailures(own: Readonly<Record<number, string>> = {}): MethodDecorator {
  const forbidden = own[403] === undefined ? 'Forbidden' : `Forbidden, ${own[403]}`;
  const failures = Object.entries({ ...COMMON_FAILURES, ...own, 403: forbidden });
  return applyDecorators(
    ApiBearerAuth(),
    ...failures.map(([status, text]) => ApiFailure(Number(status), text)),
  );
}

/** Documents one failure by its status and short text. */
export function ApiFailure(status: number, message: string): MethodDecorator {
  return ApiResponse({ status, description: message, schema: failureSchema(message) });
}

function envelope(
  model: Type,
  status: number,
  data: object,
  more: Record<string, object> = {},
): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(model),
    ApiResponse({ status, description: 'Success', schema: envelopeSchema(data, more) }),
  );
}

function envelopeSchema(data: object, more: Record<string, object> = {}) {
  return {
    type: 'object',
    required: ['success', 'data', 'error', ...Object.keys(more)],
    properties: {
      success: { type: 'boolean', enum: [true] },
      data,
      error: { type: 'string', nullable: true, enum: [null] },
      metadata,
      ...more,
    },
  };
}

function failureSchema(message: string) {
  return {
    type: 'object',
    required: ['success', 'data', 'error', 'message'],
    properties: {
      success: { type: 'boolean', enum: [false] },
      data: { type: 'object', nullable: true, enum: [null] },
      error: {
        type: 'string',
        description: 'What is wrong, in terms that the caller can act on.',
        example: message,
      },
      message: { type: 'string', example: message },
      metadata,
    },
  };
}
