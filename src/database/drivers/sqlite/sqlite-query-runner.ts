import type { DataSource, QueryRunner } from 'typeorm';
import { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner';
import { TransactionGate } from './transaction-gate';
import { unitOfWorkContext } from '../../unit-of-work-context';

/**
 * Waits for the write lock at the start. A transaction that reads first cannot wait for it: if another process has written
 * since, it fails (SQLITE_BUSY_SNAPSHOT), on every retry if that process writes a lot.
 */
const BEGIN = 'BEGIN IMMEDIATE TRANSACTION';

type Rest<T extends unknown[]> = T extends [unknown, unknown?, ...infer R] ? R : never;

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
    statementCache: Map<string, unknown>,
  ) {
    super(driver);
    Object.assign(this, { stmtCache: statementCache });
  }

  override query(
    statement: string,
    parameters: unknown[] = [],
    ...rest: Rest<Parameters<BetterSqlite3QueryRunner['query']>>
  ): ReturnType<BetterSqlite3QueryRunner['query']> {
    const insideOf = unitOfWorkContext.get()?.queryRunner;
    if (insideOf !== undefined && insideOf !== this && insideOf === this.gate.owner) {
      // It would deadlock with the transaction that waits for it.
      return Promise.reject(
        new Error('Statement outside the unit of work in progress: use UnitOfWork.manager'),
      );
    }
    const sent = statement === 'BEGIN TRANSACTION' ? BEGIN : statement;
    return this.gate.statement(this, () => super.query(sent, positional(parameters), ...rest));
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

/** libsql treats a lone null, which is an object, as named parameters. */
function positional(parameters: unknown[]): unknown[] {
  return parameters.length === 1 && parameters[0] === null ? [parameters] : parameters;
}

/** Makes a SQLite data source safe for concurrent callers; other drivers are left unchanged. */
export function isolateSqliteSessions(dataSource: DataSource): DataSource {
  const driver = dataSource.driver;
  if (driver instanceof BetterSqlite3Driver) {
    const gate = new TransactionGate();
    const statementCache = new Map<string, unknown>();
    driver.createQueryRunner = (): QueryRunner => new SqliteSession(driver, gate, statementCache);
  }
  return dataSource;
}
