import { type DomainError, invalidRequest } from '../errors/domain-error';

/** Levels of objects and lists inside each other in a request body. @limit Request bodies */
export const MAX_DEPTH = 64;

/** The limits of a document. */
export interface JsonLimits {
  /** The number of objects, lists, texts, numbers and literals. */
  values: number;
  /** The number of fields in all objects. */
  fields: number;
  /** The number of items in a list, or of fields in an object. */
  members: number;
  /**
   * The number of different sequences of field names. Each costs V8 a hidden class, ten times as much as a known one.
   */
  shapes: number;
}

/**
 * A thousand signing requests have half as many fields. Only a body of values with one or two characters can have more
 * values.
 */
export const WIDE_LIMITS: JsonLimits = {
  /** Values of a body with typed data, a transaction or JSON-RPC. @limit Request bodies */
  values: 100_000,
  /** Fields of all objects in such a body. @limit Request bodies */
  fields: 50_000,
  members: 100_000,
  /** Different sequences of field names in such a body. @limit Request bodies */
  shapes: 10_000,
};
/**
 * For bodies that become DTOs, which takes twenty times as long as parsing. Lists of a thousand objects are within the
 * limits.
 */
export const DTO_LIMITS: JsonLimits = {
  /** Values, and fields, of any other body. @limit Request bodies */
  values: 20_000,
  fields: 20_000,
  /** Items of one list, or fields of one object, in any other body. @limit Request bodies */
  members: 2_000,
  /** Different sequences of field names in any other body. @limit Request bodies */
  shapes: 1_000,
};

/** Texts of at least this many characters are processed in steps, each in its own turn of the event loop. */
export const LONG_TEXT = 4 * 1024;
/**
 * The number of characters per step, which takes less than a millisecond, or a few milliseconds if the text consists
 * only of names.
 */
export const STRETCH = 16 * 1024;

export const tooMany = (limit: number, what: string): DomainError =>
  invalidRequest(`the request body has more than ${limit} ${what}`);

export const tooDeep = (): DomainError =>
  invalidRequest(`the request body nests deeper than ${MAX_DEPTH} levels`);
