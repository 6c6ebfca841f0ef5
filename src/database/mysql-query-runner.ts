import type { DataSource, ReplicationMode } from 'typeorm';
import { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner';
import { driverCodeOf } from './driver-errors';

/**
 * A session that gives up its connection when a statement times out. The driver would hand the connection back to
 * the pool with the statement still on it, and whoever gets it next would wait behind that statement for ever.
 */
class MysqlSession extends MysqlQueryRunner {
  override async query(
    ...args: Parameters<MysqlQueryRunner['query']>
  ): ReturnType<MysqlQueryRunner['query']> {
    try {
      return (await super.query(...args)) as unknown;
    } catch (error) {
      if (driverCodeOf(error) === 'PROTOCOL_SEQUENCE_TIMEOUT') await this.dropConnection();
      throw error;
    }
  }

  private async dropConnection(): Promise<void> {
    const connection = (await this.connect()) as { destroy: () => void };
    connection.destroy();
  }
}

/** Keeps connections that have timed out away from a MySQL pool; other drivers are left as they are. */
export function dropTimedOutConnections(dataSource: DataSource): DataSource {
  const driver = dataSource.driver;
  if (driver instanceof MysqlDriver) {
    driver.createQueryRunner = (mode: ReplicationMode): MysqlSession => new MysqlSession(driver, mode);
  }
  return dataSource;
}
