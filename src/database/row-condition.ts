/** A condition on the rows of one table. */
export interface RowCondition {
  /** With a `?` for each value. Names of columns and operators are constants of the code, never input. */
  readonly sql: string;
  readonly values: readonly unknown[];
}
