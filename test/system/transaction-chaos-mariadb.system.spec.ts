import { ServerDatabase } from '../../bench/deliveries/database';
import { describeWithAnvil } from '../support/anvil';
import { CHAOS_TIMEOUT, expectExactlyOnce } from '../support/transaction-chaos/exactly-once';

const { TEST_MARIADB_URL } = process.env;

describeWithAnvil(
  'Transactions of two processes on MariaDB that are killed, through a node that fails',
  () => {
    (TEST_MARIADB_URL ? it : it.skip)(
      'are executed exactly once each',
      async () => {
        const database = await ServerDatabase.create(TEST_MARIADB_URL ?? '');
        try {
          await expectExactlyOnce(database, 2);
        } finally {
          await database.drop();
        }
      },
      CHAOS_TIMEOUT,
    );
  },
);
