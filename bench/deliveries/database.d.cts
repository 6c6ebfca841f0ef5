/** A database that the service writes and its observer reads. */
export interface ObservedDatabase {
  /** As `DATABASE_URL` takes it. */
  readonly url: string;
  query(statement: string): Promise<unknown>;
  drop(): Promise<void>;
}

export const SqliteFile: { create(): ObservedDatabase };
export const ServerDatabase: { create(serverUrl: string): Promise<ObservedDatabase> };
