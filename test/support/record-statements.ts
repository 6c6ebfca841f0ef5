import type { DataSource } from 'typeorm';

export interface Statement {
  text: string;
  values: unknown[];
}

/** Records the statements that are executed from now on, until `jest.restoreAllMocks()`. */
export function recordStatements(dataSource: DataSource): Statement[] {
  const statements: Statement[] = [];
  const createRunner = dataSource.createQueryRunner.bind(dataSource);
  jest.spyOn(dataSource, 'createQueryRunner').mockImplementation((mode) => {
    const runner = createRunner(mode);
    const query = runner.query.bind(runner);
    const record: typeof query = (text: string, values?: unknown, isStructured?: unknown) => {
      statements.push({ text, values: values as unknown[] });
      return query(text, values as unknown[], isStructured as true);
    };
    return Object.assign(runner, { query: record });
  });
  return statements;
}
