import { type DomainError, invalidRequest } from '../errors/domain-error';

/** Levels of nested objects and lists. */
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

/** A batch of 1000 signing requests has half as many fields; a body with more values can only have tiny ones. */
export const WIDE_LIMITS: JsonLimits = { values: 100_000, fields: 50_000, members: 100_000, shapes: 10_000 };
/** For bodies that become a DTO, which takes twenty times as long as parsing: lists of a thousand objects pass. */
export const DTO_LIMITS: JsonLimits = { values: 20_000, fields: 20_000, members: 2_000, shapes: 1_000 };

/** Number of characters from which each step of the work takes its own turn of the event loop. */
export const LONG_TEXT = 4 * 1024;
/** Characters per step, which takes less than a millisecond, or a few if they are names only. */
export const STRETCH = 16 * 1024;

export const tooMany = (limit: number, what: string): DomainError =>
  invalidRequest(`the request body has more than ${limit} ${what}`);

export const tooDeep = (): DomainError =>
  invalidRequest(`the request body nests deeper than ${MAX_DEPTH} levels`);
