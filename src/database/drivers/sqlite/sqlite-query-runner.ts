import { Logger } from '@nestjs/common';
import type { DataSource, QueryRunner } from 'typeorm';
import { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner';
import type { QueryResult } from 'typeorm/query-runner/QueryResult';
import { errorCodeOf } from '../../../common/errors/error-cause';
import { currentUnitOfWork } from '../../unit-of-work-context';
import { GroupCommit } from './group-commit';
import { OpenedFile } from './opened-file';
import { SqliteStatements } from './sqlite-statements';
import { TransactionGate } from './transaction-gate';

/**
 * Statements that need exclusive use of the connection: those of an outermost transaction (inner ones are savepoints),
 * and writes outside of a transaction.
 */
const EXCLUSIVE = /^(?:BEGIN TRANSACTION|COMMIT|ROLLBACK)$|^\s*(?:INSERT|UPDATE|DELETE)\b/i;

/**
 * A session on the single SQLite connection.
 *
 * TypeORM gives every caller the same query runner. As a result, a second transaction fails, and a statement of another
 * request joins the open transaction and is rolled back with it. Here each caller has its own runner, as on MySQL, and
 * the gate isolates transactions from everything else.
 */
export class SqliteSession extends BetterSqlite3QueryRunner {
  constructor(
    driver: BetterSqlite3Driver,
    private readonly gate: TransactionGate,
    private readonly group: GroupCommit,
    private readonly statements: SqliteStatements,
    private readonly file: OpenedFile,
  ) {
    super(driver);
  }

  /** @throws DomainError `unavailable` if the database file was deleted or replaced */
  assertFileInPlace(): void {
    this.file.assertInPlace();
  }

  override query(
    statement: string,
    parameters: unknown[] = [],
    useStructuredResult = false,
  ): ReturnType<BetterSqlite3QueryRunner['query']> {
    const insideOf = currentUnitOfWork()?.manager.queryRunner;
    if (insideOf !== undefined && insideOf !== this && insideOf === this.gate.owner)
      // The statement would deadlock with the transaction that waits for it.
      return Promise.reject(
        new Error('Statement outside the unit of work in progress: use UnitOfWork.manager'),
      );
    const inForm = (result: QueryResult | undefined): unknown =>
      useStructuredResult ? result : (result?.raw as unknown);
    if (this.gate.owner !== this && !EXCLUSIVE.test(statement))
      return this.gate.statement(this, () => {
        this.file.assertRecentlyInPlace();
        return inForm(this.statements.run(statement, parameters, this));
      });
    return this.runExclusive(statement, parameters).then(inForm);
  }

  private async runExclusive(statement: string, parameters: unknown[]): Promise<QueryResult | undefined> {
    switch (statement) {
      case 'BEGIN TRANSACTION':
        await this.group.begin(this);
        return;
      case 'COMMIT':
        await this.group.commit(this);
        return;
      case 'ROLLBACK':
        this.group.rollback(this);
        return;
      default:
        return this.gate.owner === this
          ? this.group.run(statement, parameters, this)
          : this.runAlone(statement, parameters);
    }
  }

  /** Shares a commit with others, like a transaction. */
  private async runAlone(statement: string, parameters: unknown[]): Promise<QueryResult> {
    const session = {};
    await this.gate.begin(session);
    try {
      await this.group.begin(session);
      const result = this.group.run(statement, parameters, this);
      await this.group.commit(session);
      return result;
    } catch (error) {
      this.group.rollback(session);
      throw error;
    }
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
        this.group.rollback(this);
      }
      throw error;
    }
  }

  override async release(): Promise<void> {
    this.group.rollback(this);
    await super.release();
  }
}

/** Makes a SQLite data source safe for concurrent callers; other drivers are left unchanged. */
export function isolateSqliteSessions(dataSource: DataSource): DataSource {
  const driver = dataSource.driver;
  if (driver instanceof BetterSqlite3Driver) {
    const gate = new TransactionGate();
    const statements = new SqliteStatements(driver);
    const file = new OpenedFile(driver.options.database);
    const group = new GroupCommit(gate, statements, file);
    driver.createQueryRunner = (): QueryRunner => new SqliteSession(driver, gate, group, statements, file);
    const connect = driver.connect.bind(driver);
    driver.connect = async (): Promise<void> => {
      await connect();
      file.remember();
    };
    const disconnect = driver.disconnect.bind(driver);
    driver.disconnect = async (): Promise<void> => {
      try {
        statements.checkpoint();
      } catch (error) {
        new Logger('SqliteFiles').warn('The log file of the database remains', { cause: errorCodeOf(error) });
      }
      await disconnect();
    };
  }
  return dataSource;
}
