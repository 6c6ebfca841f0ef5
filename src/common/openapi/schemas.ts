import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { TitledSchema } from './envelope-schemas';

/**
 * Null, as one of several schemas: OpenAPI 3.0 allows `nullable` only next to a type, which a reference does not have.
 */
const NULL = { type: 'string', nullable: true, enum: [null] };

type Schemas = NonNullable<Extract<ApiPropertyOptions, { oneOf?: unknown }>['oneOf']>;

/** One of the schemas, or null. */
export const orNull = (...schemas: object[]): { oneOf: Schemas } => ({
  oneOf: [...schemas, NULL] as Schemas,
});

/**
 * One of several texts, to which a later version may add. It is not an `enum`, because generated clients reject values
 * outside of an enum, and clients must expect unknown values.
 */
export const growing = (values: readonly string[]): { type: 'string' } =>
  Object.assign({ type: 'string' as const }, { 'x-extensible-enum': [...values] });

/** The form of an RFC 3339 time, from 1970 to 9999. */
const DATE_TIME =
  '^(19[7-9][0-9]|[2-9][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]' +
  '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$';

/** A time in a request. */
export const DATE_TIME_SCHEMA = { type: String, format: 'date-time', pattern: DATE_TIME } as const;

/** A closed set of texts, which is contained in the document once, under its title. */
export const enumSchema = (title: string, values: readonly string[]): TitledSchema => ({
  title,
  type: 'string',
  enum: [...values],
});

/** A property whose value is in that set. */
export const oneOfEnum = (title: string, values: readonly string[]): { allOf: Schemas } => ({
  allOf: [enumSchema(title, values)] as Schemas,
});
