import { SqliteFile } from '../../bench/deliveries/database';
import { describeWithAnvil } from '../support/anvil';
import { CHAOS_TIMEOUT, expectExactlyOnce } from '../support/transaction-chaos/exactly-once';

describeWithAnvil('Transactions of a process on SQLite that is killed, through a node that fails', () => {
  it(
    'are executed exactly once each',
    async () => {
      const database = SqliteFile.create();
      try {
        await expectExactlyOnce(database, 1);
      } finally {
        await database.drop();
      }
    },
    CHAOS_TIMEOUT,
  );
});
