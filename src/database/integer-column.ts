import type { ValueTransformer } from 'typeorm';

/** A bigint column whose values are safe integers. The drivers of database servers return them as strings. */
export const integerColumn: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: unknown) => (value === null || value === undefined ? null : Number(value)),
};
