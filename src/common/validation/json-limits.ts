import { type DomainError, invalidRequest } from '../errors/domain-error';

/** Levels of objects and lists inside each other in a request body. @limit Request bodies */
export const MAX_DEPTH = 64;

/** How much a document may contain. */
export interface JsonLimits {
  /** Objects, lists, texts, numbers and literals. */
  values: number;
  /** Fields of all objects. */
  fields: number;
  /** Items of one list, or fields of one object. */
  members: number;
  /** Different sequences of field names: each costs V8 a hidden class, ten times the cost of a known one. */
  shapes: number;
}

/** A thousand signing requests have half as many fields. A body with more values consists of values of one or two characters. */
export const WIDE_LIMITS: JsonLimits = {
  /** Values of a body with typed data, a transaction or JSON-RPC. @limit Request bodies */
  values: 100_000,
  /** Fields of all objects in such a body. @limit Request bodies */
  fields: 50_000,
  members: 100_000,
  /** Different sequences of field names in such a body. @limit Request bodies */
  shapes: 10_000,
};
/** For bodies that become DTOs, which takes twenty times as long as parsing: lists of a thousand objects pass. */
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
/** Characters per step, which takes less than a millisecond, or a few if they are names only. */
export const STRETCH = 16 * 1024;

export const tooMany = (limit: number, what: string): DomainError =>
  invalidRequest(`the request body has more than ${limit} ${what}`);

export const tooDeep = (): DomainError =>
  invalidRequest(`the request body nests deeper than ${MAX_DEPTH} levels`);
