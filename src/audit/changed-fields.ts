import { isDeepStrictEqual } from 'node:util';

/** The values of a field before and after a change, in JSON form; null if there was or is none. */
export interface Change {
  before: unknown;
  after: unknown;
}

/** Changes by field. */
export type Changes = Readonly<Record<string, Change>>;

/** The fields of a resource, as the audit log shows them. */
export type AuditedFields = Readonly<Record<string, unknown>>;

const REDACTED = '[redacted]';

/** A value that is compared but not recorded. */
class Redacted {
  /**
   * @param value different values count as a change; two sealed values always differ
   * @param shown the text to record instead
   */
  constructor(
    readonly value: unknown,
    readonly shown: string = REDACTED,
  ) {}
}

/** Redacts a value, see {@link Redacted}; null stays null. */
export const redacted = (value: unknown, shown?: string): Redacted | null =>
  value === null || value === undefined ? null : new Redacted(value, shown);

/**
 * The fields in which two states of a resource differ.
 *
 * @param before null for a resource that is being created
 * @param after null for one that is being deleted
 */
export function changedFields(before: AuditedFields | null, after: AuditedFields | null): Changes {
  const changes: Record<string, Change> = {};
  for (const name of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
    const one = before?.[name] ?? null;
    const other = after?.[name] ?? null;
    if (!isDeepStrictEqual(one, other)) changes[name] = { before: shown(one), after: shown(other) };
  }
  return changes;
}

const shown = (value: unknown): unknown => (value instanceof Redacted ? value.shown : value);

/** Like {@link changedFields}, including the id of a resource that has no column of its own in the audit log. */
export function changesOf(id: string, before: AuditedFields | null, after: AuditedFields | null): Changes {
  return { id: { before: before && id, after: after && id }, ...changedFields(before, after) };
}
