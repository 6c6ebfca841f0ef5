import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { HASHES } from '../support/altered-columns';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { StoredSecrets } from '../support/stored-secrets';

const KEY = randomBytes(32).toString('base64');
const COW = '/api/v1/relayers/cow';

describeService(
  'A stored text with a NUL, at which the driver of SQLite cuts it off',
  { settings: { STORAGE_ENCRYPTION_KEY: KEY }, onlySqlite: true },
  ({ service, database }) => {
    it.each(['address', 'signer_id', 'policies', 'id'])('alters the row, in %s', async (column) => {
      const { signerId } = await addRelayer(service, { id: 'cow' });
      const run = (statement: string, values: unknown[] = []): Promise<unknown> =>
        service.app.get(DataSource).query(statement, values);
      const store = await StoredSecrets.open(database);
      try {
        expect((await service.get(COW)).status).toBe(200);
        await run('PRAGMA foreign_keys = OFF');
        await run(`UPDATE relayers SET ${column} = ${column} || CHAR(0) || 'x'`);
        const responses = [
          await service.get('/api/v1/relayers'),
          await service.get(COW),
          await service.patch(COW, { name: 'renamed' }),
          await service.post(`${COW}/sign-typed-data`, HASHES),
        ];
        const statuses = responses.map(({ status }) => status);
        // Without its id, nothing but lists finds it.
        expect(statuses).toEqual(column === 'id' ? [500, 404, 404, 404] : [500, 500, 500, 500]);
        expect(await store.faults(KEY)).toEqual(['relayers cow: it has a column that holds something else']);
      } finally {
        await run('DELETE FROM relayers');
        await run('DELETE FROM signers WHERE id = ?', [signerId]);
        await run('PRAGMA foreign_keys = ON');
        await store.close();
      }
    });
  },
);
