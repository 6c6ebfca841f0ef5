import type { ColumnOptions, ValueTransformer } from 'typeorm';

/** A text of more than 64 KiB. The only common type of the databases for it is JSON, so it is the member `text` of an object. */
const longText: ValueTransformer = {
  to: (text: string | null | undefined) => (typeof text === 'string' ? { text } : text),
  from: (stored: { text: string } | null) => stored?.text ?? null,
};

/** Options of a column that holds a long text or null. */
export const LONG_TEXT_COLUMN = {
  type: 'json',
  nullable: true,
  transformer: longText,
} as const satisfies ColumnOptions;
