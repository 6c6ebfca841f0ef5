/** A condition on the rows of one table. */
export interface RowCondition {
  /** Contains a `?` for each value. Column names and operators must be constants in the code, never input. */
  readonly sql: string;
  readonly values: readonly unknown[];
}
