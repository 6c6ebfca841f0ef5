/** A schema that is contained in the document once, among its components, under its title. */
export interface TitledSchema {
  title: string;
  [keyword: string]: unknown;
}

/** An object with any members. */
export const JSON_OBJECT: TitledSchema = {
  title: 'JsonObject',
  type: 'object',
  additionalProperties: true,
};

const METADATA: TitledSchema = {
  title: 'ResponseMetadata',
  type: 'object',
  required: ['logs', 'traces'],
  description: 'Present only when the handler recorded something about the request.',
  properties: {
    logs: { type: 'array', description: 'Each has `level` and `message`.', items: JSON_OBJECT },
    traces: { type: 'array', items: {} },
  },
};

/** The position of a page in its list. */
export const PAGINATION: TitledSchema = {
  title: 'Pagination',
  type: 'object',
  required: ['current_page', 'per_page', 'total_items'],
  properties: {
    current_page: { type: 'integer', minimum: 1, example: 1 },
    per_page: { type: 'integer', minimum: 0, example: 10 },
    total_items: { type: 'integer', minimum: 0, example: 1 },
  },
};

/** The position in a list that is read by cursor. */
export const CURSOR_PAGINATION: TitledSchema = {
  title: 'CursorPagination',
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

/** The envelope of every failure. */
export const FAILURE: TitledSchema = {
  title: 'Failure',
  type: 'object',
  description: 'The response to every request that fails.',
  required: ['success', 'data', 'error', 'message'],
  properties: {
    success: { type: 'boolean', enum: [false] },
    data: { type: 'object', nullable: true, enum: [null] },
    error: {
      type: 'string',
      description: 'What is wrong, in terms that the caller can act on.',
      example: 'page and cursor must not be given together',
    },
    message: { type: 'string', description: 'The short text of its kind.', example: 'Bad Request' },
    metadata: METADATA,
  },
};

/**
 * The envelope of a success.
 *
 * @param title its name among the components
 * @param more additional members, all of them required
 */
export const successSchema = (
  title: string,
  data: object,
  more: Record<string, object> = {},
): TitledSchema => ({
  title,
  type: 'object',
  required: ['success', 'data', 'error', ...Object.keys(more)],
  properties: {
    success: { type: 'boolean', enum: [true] },
    data,
    error: { type: 'string', nullable: true, enum: [null] },
    metadata: METADATA,
    ...more,
  },
});
