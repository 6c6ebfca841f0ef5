import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Secret } from '../../src/common/secrets/secret';
import { ProtectedColumns } from '../../src/database/integrity/protected-columns';
import { type ProtectedTable, RowMacs } from '../../src/secrets/row-macs';
import { TRANSACTION_PROTECTION, TransactionEntity } from '../../src/transactions/transaction.entity';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { addEndedTransaction } from '../support/ended-transaction';
import { StoredSecrets } from '../support/stored-secrets';

const KEY = randomBytes(32).toString('base64');
const PATH = '/api/v1/relayers/own/transactions/ended';

describeService(
  'The MAC of a transaction that has ended',
  { settings: { STORAGE_ENCRYPTION_KEY: KEY } },
  ({ service, database }) => {
    let store: StoredSecrets;

    beforeAll(async () => {
      store = await StoredSecrets.open(database);
      for (const id of ['own', 'other']) {
        const network = { name: id, network_type: 'evm', chain_id: 424242 };
        expect((await service.post('/api/v1/networks', network)).status).toBe(201);
        await addRelayer(service, { id, network: id });
      }
      await addEndedTransaction(service, { id: 'ended', relayerId: 'own' });
    });

    afterAll(() => store.close());

    const repository = () => service.app.get(DataSource).getRepository(TransactionEntity);

    it.each([
      { status: 'pending' as const },
      { status: 'mined' as const },
      { openRelayerId: 'other' },
      { status: 'submitted' as const, openRelayerId: 'own' },
    ])('does not match columns that contradict its end: %j', async (changes) => {
      await repository().update('ended', changes);
      expect((await service.get(PATH)).status).toBe(500);
      expect(await store.faults(KEY)).toEqual([
        'transactions ended: it has columns that contradict each other',
      ]);
      await repository().update('ended', { status: 'confirmed', openRelayerId: null });
      expect((await service.get(PATH)).status).toBe(200);
    });

    it('replaces one of a version that did not cover the end in a rotation', async () => {
      const columns = Object.entries(TRANSACTION_PROTECTION.columns).map(
        ([name, kind]) => [name, kind === 'protected' ? kind : 'unprotected'] as const,
      );
      const declared: ProtectedTable = { table: 'transactions', columns: Object.fromEntries(columns) };
      const protection = new ProtectedColumns(repository().metadata, declared);
      const row = await repository().findOneByOrFail({ id: 'ended' });
      const earlier = new RowMacs([new Secret(KEY)], [declared]);
      await repository().update('ended', {
        mac: earlier.compute('transactions', protection.contentOf(row)),
      });
      expect((await service.get(PATH)).status).toBe(200);
      expect(await store.faults(KEY)).toEqual([]);
      expect(await store.rotate(KEY)).toBe(true);
      expect((await repository().findOneByOrFail({ id: 'ended' })).mac).toBe(row.mac);
    });
  },
);
