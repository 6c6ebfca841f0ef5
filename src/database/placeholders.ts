/** A placeholder for each of several values of a statement. */
export const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ');
