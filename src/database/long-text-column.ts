import type { ColumnOptions, ValueTransformer } from 'typeorm';

/**
 * A text of more than 64 KiB. JSON is the only suitable type that all databases have, so the text is stored as the
 * member `text` of an object.
 */
const longText: ValueTransformer = {
  to: (text: string | null | undefined) => (typeof text === 'string' ? { text } : text),
  from: (stored: { text: string } | null) => stored?.text ?? null,
};

/** The options of a column for a long text or null. */
export const LONG_TEXT_COLUMN = {
  type: 'json',
  nullable: true,
  transformer: longText,
} as const satisfies ColumnOptions;
