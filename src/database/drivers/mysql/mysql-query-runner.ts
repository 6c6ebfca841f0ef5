import { type DataSource, QueryFailedError, type ReplicationMode } from 'typeorm';
import { QueryRunnerAlreadyReleasedError } from 'typeorm/error/QueryRunnerAlreadyReleasedError';
import { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner';
import { QueryResult } from 'typeorm/query-runner/QueryResult';

/** What of a connection of mysql2 is used here. */
interface Connection {
  query(
    statement: string,
    parameters: unknown[] | undefined,
    answered: (error: Error | null, result: unknown) => void,
  ): void;
  destroy(): void;
}

/** Has the code that mysql2 gives such an error. */
class StatementTimeout extends Error {
  readonly code = 'PROTOCOL_SEQUENCE_TIMEOUT';

  constructor() {
    super('Statement timed out');
  }
}

/**
 * A session whose statements have a time-out, and that gives up its connection with one that does not keep it: whoever
 * got that connection next would wait behind the statement for ever.
 *
 * The driver's own time-out is not used. It keeps the connection; and where a statement is given with options, it copies
 * them in a way for which V8 allocates in its old generation each time, so that this is collected three times as often.
 * Subscribers to statements (`beforeQuery`, `afterQuery`) are not told.
 */
class MysqlSession extends MysqlQueryRunner {
  /** Is kept when the last statement that came has its answer. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    driver: MysqlDriver,
    mode: ReplicationMode,
    private readonly timeoutMs: number,
  ) {
    super(driver, mode);
  }

  override async query(
    statement: string,
    parameters?: unknown[],
    useStructuredResult = false,
  ): ReturnType<MysqlQueryRunner['query']> {
    this.requireUnreleased();
    const connection = (await this.connect()) as Connection;
    const { logger } = this.driver.dataSource;
    logger.logQuery(statement, parameters, this);
    try {
      const raw = await this.inTurn(() => {
        // By now the connection may be somebody else's.
        this.requireUnreleased();
        return answerTo(connection, statement, parameters, this.timeoutMs);
      });
      return useStructuredResult ? structured(raw) : raw;
    } catch (error) {
      if (error instanceof StatementTimeout) logger.logQuerySlow(this.timeoutMs, statement, parameters, this);
      logger.logQueryError(error as Error, statement, parameters, this);
      throw new QueryFailedError(statement, parameters, error as Error);
    }
  }

  private requireUnreleased(): void {
    if (this.isReleased) throw new QueryRunnerAlreadyReleasedError();
  }

  /** One statement after the other: mysql2 would let them wait as well, but their time would run. */
  private inTurn(ask: () => Promise<unknown>): Promise<unknown> {
    const answer = this.last.then(ask);
    this.last = answer.catch(() => undefined);
    return answer;
  }
}

/** @throws StatementTimeout when the connection was given up, and what mysql2 says of a statement that fails */
async function answerTo(
  connection: Connection,
  statement: string,
  parameters: unknown[] | undefined,
  timeoutMs: number,
): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(() => {
        reject(new StatementTimeout());
      }, timeoutMs);
      connection.query(statement, parameters, (error, result) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
  } catch (error) {
    if (error instanceof StatementTimeout) connection.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** What the query builders of TypeORM take of an answer. */
function structured(raw: unknown): QueryResult {
  const result = new QueryResult();
  result.raw = raw;
  if (Array.isArray(raw)) result.records = raw;
  else result.affected = (raw as { affectedRows?: number }).affectedRows;
  return result;
}

/** Gives the statements of a MySQL data source a time-out, in milliseconds; other drivers are left as they are. */
export function limitStatements(dataSource: DataSource, timeoutMs: number): DataSource {
  const driver = dataSource.driver;
  if (driver instanceof MysqlDriver) {
    driver.createQueryRunner = (mode: ReplicationMode): MysqlSession =>
      new MysqlSession(driver, mode, timeoutMs);
  }
  return dataSource;
}
