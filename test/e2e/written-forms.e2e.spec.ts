import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { StoredSecrets } from '../support/stored-secrets';

const KEY = randomBytes(32).toString('base64');
const COW = '/api/v1/relayers/cow';

describeService(
  'A stored value in a form that the service does not write, which SQL compares differently',
  { settings: { STORAGE_ENCRYPTION_KEY: KEY } },
  ({ service, database, databaseName }) => {
    const run = (statement: string): Promise<unknown> => service.app.get(DataSource).query(statement);

    it('alters the row, for a boolean', async () => {
      await addRelayer(service, { id: 'cow', paused: true });
      await run('UPDATE relayers SET paused = 2');
      try {
        expect((await service.get(COW)).status).toBe(500);
        expect(await faults()).toEqual(['relayers cow: it has a column that holds something else']);
      } finally {
        await run('UPDATE relayers SET paused = 1');
      }
      expect((await service.get(COW)).status).toBe(200);
    });

    if (databaseName === 'SQLite')
      it.each([
        ['with a T', `replace(expires_at, ' ', 'T')`],
        ['with its zone', `expires_at || 'Z'`],
        ['with more digits', `expires_at || '000'`],
        ['without its time of day', 'substr(expires_at, 1, 10)'],
        ['at hour 24 of the day before', `date(expires_at, '-1 day') || ' 24:00:00.000'`],
      ])('alters the row, for a time %s', async (_, form) => {
        const request = { name: 'key', scopes: ['relayers:read'], expires_at: '2040-01-01T00:00:00.000Z' };
        const { body } = await service.post('/api/v1/api-keys', request);
        const { id } = body.data as { id: string };
        const path = `/api/v1/api-keys/${id}`;
        expect((await service.get(path)).status).toBe(200);
        await run(`UPDATE api_keys SET expires_at = ${form}`);
        try {
          expect((await service.get(path)).status).toBe(500);
          expect(await faults()).toEqual([`api_keys ${id}: it has a column that holds something else`]);
        } finally {
          await run(`UPDATE api_keys SET expires_at = '2040-01-01 00:00:00.000'`);
          expect((await service.get(path)).status).toBe(200);
          await run('DELETE FROM api_keys');
        }
      });

    const faults = async (): Promise<string[]> => {
      const store = await StoredSecrets.open(database);
      try {
        return await store.faults(KEY);
      } finally {
        await store.close();
      }
    };
  },
);
