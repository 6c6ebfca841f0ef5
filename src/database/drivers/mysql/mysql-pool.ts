import type { DataSource } from 'typeorm';
import { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver';

/**
 * Makes the pool of a MySQL data source end in every case; other drivers are left unchanged. TypeORM leaves it open,
 * with its timers, if the first statement fails, or if a connection is lost while it ends.
 */
export function endPool(dataSource: DataSource): DataSource {
  const { driver } = dataSource;
  if (!(driver instanceof MysqlDriver)) return dataSource;
  const [connect, disconnect] = [driver.connect.bind(driver), driver.disconnect.bind(driver)];
  driver.disconnect = async () => {
    const isOpen = driver.pool !== undefined;
    try {
      await disconnect();
    } catch (error) {
      // A connection that is lost has ended too.
      if (!isOpen) throw error;
    } finally {
      driver.pool = undefined;
    }
  };
  driver.connect = async () => {
    try {
      await connect();
    } catch (error) {
      if (driver.pool !== undefined) await driver.disconnect();
      throw error;
    }
  };
  return dataSource;
}
