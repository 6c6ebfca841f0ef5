import { applyDecorators, HttpStatus, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { CURSOR_PAGINATION, FAILURE, PAGINATION, successSchema } from './envelope-schemas';

/** The failures of every route that requires a token. */
const COMMON_FAILURES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Documents the success envelope for one resource. */
export function ApiEnvelope(model: Type, status = HttpStatus.OK): MethodDecorator {
  return envelope(model, status, successSchema(`${stem(model)}Envelope`, reference(model)));
}

/** Documents the success envelope for a fixed text. */
export function ApiEnvelopeText(text: string): MethodDecorator {
  return ApiResponse({
    status: HttpStatus.OK,
    description: 'Success',
    content: {
      'application/json': {
        schema: successSchema('TextEnvelope', { type: 'string' }),
        example: { success: true, data: text, error: null },
      },
    },
  });
}

/** Documents the success envelope for a list that is not paged. */
export function ApiEnvelopeList(model: Type, status = HttpStatus.OK): MethodDecorator {
  return envelope(model, status, successSchema(`${stem(model)}List`, listOf(model)));
}

/** Documents the success envelope for a list that can be read by page or by cursor. */
export function ApiEnvelopePage(model: Type): MethodDecorator {
  const pagination = { oneOf: [PAGINATION, CURSOR_PAGINATION] };
  return envelope(model, HttpStatus.OK, successSchema(`${stem(model)}Page`, listOf(model), { pagination }));
}

/** Documents the success envelope for a list that is read by cursor. */
export function ApiEnvelopeCursorPage(model: Type): MethodDecorator {
  const pagination = CURSOR_PAGINATION;
  return envelope(model, HttpStatus.OK, successSchema(`${stem(model)}Page`, listOf(model), { pagination }));
}

/**
 * Documents the failures of a route that requires a token: those common to all routes, and its `own` statuses with
 * their short texts. 403 `Forbidden` is always included, because every such route requires a scope.
 */
export function ApiFailures(own: Readonly<Record<number, string>> = {}): MethodDecorator {
  const forbidden = own[403] === undefined ? 'Forbidden' : `Forbidden, ${own[403]}`;
  const failures = Object.entries({ ...COMMON_FAILURES, ...own, 403: forbidden });
  return applyDecorators(...failures.map(([status, text]) => ApiFailure(Number(status), text)));
}

/** Documents one failure by its status and its short texts, separated by commas. */
export function ApiFailure(status: number, messages: string): MethodDecorator {
  const [message] = messages.split(', ');
  return ApiResponse({
    status,
    description: messages,
    content: {
      'application/json': {
        schema: FAILURE,
        example: { success: false, data: null, error: message, message },
      },
    },
  });
}

function envelope(model: Type, status: number, schema: object): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(model),
    ApiResponse({ status, description: 'Success', content: { 'application/json': { schema } } }),
  );
}

const reference = (model: Type): object => ({ $ref: getSchemaPath(model) });
const listOf = (model: Type): object => ({ type: 'array', items: reference(model) });
const stem = ({ name }: Type): string => name.replace(/Response$/, '');
