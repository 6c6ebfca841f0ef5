import { type DataSource, QueryFailedError, type QueryRunner } from 'typeorm';
import { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner';
import { QueryResult } from 'typeorm/query-runner/QueryResult';
import { TransactionGate } from './transaction-gate';
import { unitOfWorkContext } from '../../unit-of-work-context';

/**
 * Waits for the write lock at the start. A transaction that reads first cannot wait for it: if another process has written
 * since, it fails (SQLITE_BUSY_SNAPSHOT), on every retry if that process writes a lot.
 */
const BEGIN = 'BEGIN IMMEDIATE TRANSACTION';

/** Statements that stay prepared. */
const MAX_STATEMENTS = 200;

/** The part of a statement of libsql that is used here. Values come as one list: of several arguments, a lone null would be named values. */
interface Statement {
  readonly reader: boolean;
  all(values: unknown[]): unknown[];
  run(values: unknown[]): { changes: number; lastInsertRowid: number };
}

/**
 * A session on the one SQLite connection.
 *
 * TypeORM gives every caller the same query runner, so that a second transaction fails and a statement of
 * another request joins the open transaction and is rolled back with it. Here each caller has its own runner, as on
 * MySQL, and the gate isolates transactions from everything else.
 */
class SqliteSession extends BetterSqlite3QueryRunner {
  constructor(
    driver: BetterSqlite3Driver,
    private readonly gate: TransactionGate,
    private readonly statements: Map<string, Statement>,
  ) {
    super(driver);
  }

  override query(
    statement: string,
    parameters: unknown[] = [],
    useStructuredResult = false,
  ): ReturnType<BetterSqlite3QueryRunner['query']> {
    const insideOf = unitOfWorkContext.get()?.queryRunner;
    if (insideOf !== undefined && insideOf !== this && insideOf === this.gate.owner) {
      // It would deadlock with the transaction that waits for it.
      return Promise.reject(
        new Error('Statement outside the unit of work in progress: use UnitOfWork.manager'),
      );
    }
    const sent = statement === 'BEGIN TRANSACTION' ? BEGIN : statement;
    return this.gate.statement(this, () => this.runNow(sent, parameters, useStructuredResult));
  }

  /** As TypeORM does it, without a promise for each step, none of which waits. Subscribers to statements are not notified. */
  private runNow(statement: string, parameters: unknown[], useStructuredResult: boolean): unknown {
    const { logger, options } = this.driver.dataSource;
    logger.logQuery(statement, parameters, this);
    const start = performance.now();
    try {
      const result = resultOf(this.prepared(statement), parameters);
      const took = performance.now() - start;
      if (options.maxQueryExecutionTime && took > options.maxQueryExecutionTime)
        logger.logQuerySlow(took, statement, parameters, this);
      return useStructuredResult ? result : result.raw;
    } catch (error) {
      logger.logQueryError(error as Error, statement, parameters, this);
      throw new QueryFailedError(statement, parameters, error as Error);
    }
  }

  private prepared(statement: string): Statement {
    let prepared = this.statements.get(statement);
    if (!prepared) {
      const [oldest] = this.statements.keys();
      if (oldest !== undefined && this.statements.size === MAX_STATEMENTS) this.statements.delete(oldest);
      const connection = this.driver.databaseConnection as { prepare(statement: string): Statement };
      prepared = connection.prepare(statement);
      this.statements.set(statement, prepared);
    }
    return prepared;
  }

  override async startTransaction(
    ...args: Parameters<BetterSqlite3QueryRunner['startTransaction']>
  ): Promise<void> {
    const outermost = !this.isTransactionActive;
    if (outermost) await this.gate.begin(this);
    try {
      await super.startTransaction(...args);
    } catch (error) {
      if (outermost) {
        this.isTransactionActive = false;
        this.gate.end(this);
      }
      throw error;
    }
  }

  override async commitTransaction(): Promise<void> {
    await super.commitTransaction();
    if (!this.isTransactionActive) this.gate.end(this);
  }

  override async rollbackTransaction(): Promise<void> {
    const outermost = this.transactionDepth <= 1;
    try {
      await super.rollbackTransaction();
    } finally {
      if (outermost) this.gate.end(this);
    }
  }

  override async release(): Promise<void> {
    this.gate.end(this);
    await super.release();
  }
}

/** The result in the form that TypeORM's query builders expect. */
function resultOf(statement: Statement, parameters: unknown[]): QueryResult {
  const values = parameters.map((value) => (typeof value === 'boolean' ? Number(value) : value));
  const result = new QueryResult();
  if (statement.reader) {
    result.records = statement.all(values);
    result.raw = result.records;
  } else {
    const { changes, lastInsertRowid } = statement.run(values);
    result.affected = changes;
    result.raw = lastInsertRowid;
  }
  return result;
}

/** Makes a SQLite data source safe for concurrent callers; other drivers are left unchanged. */
export function isolateSqliteSessions(dataSource: DataSource): DataSource {
  const driver = dataSource.driver;
  if (driver instanceof BetterSqlite3Driver) {
    const gate = new TransactionGate();
    const statements = new Map<string, Statement>();
    driver.createQueryRunner = (): QueryRunner => new SqliteSession(driver, gate, statements);
  }
  return dataSource;
}
