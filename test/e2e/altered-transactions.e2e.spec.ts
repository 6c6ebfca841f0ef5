import { DataSource } from 'typeorm';
import { describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import { swallowSends } from '../support/faulty-proxy/chain-faults';
import { SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';

const OTHER_RECEIVER = '0x000000000000000000000000000000000000dEaD';

/** What someone achieves who can write to the database, but does not have the storage key. */
describeWithAnvil('Transactions altered in the database', () => {
  describeService('cannot make the service sign what is not allowed', ({ service }) => {
    let chain: TestChain;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5 });
    });

    afterAll(() => chain.stop());

    const sql = (text: string, values: unknown[] = []): Promise<unknown> =>
      service.app.get(DataSource).manager.query(text, values);

    const alteredCount = async (table: string): Promise<number> => {
      const { text } = await service.call({ path: '/debug/metrics/scrape' });
      return Number(new RegExp(`storage_rows_altered_total\\{table="${table}"\\} (\\d+)`).exec(text)?.[1]);
    };

    /** Waits until the service has found another altered row of a table. */
    const untilDetected = async (table: string, before: number, account: SendingAccount): Promise<void> => {
      await account.until(`an altered row of ${table}`, async () => (await alteredCount(table)) > before);
    };

    const makeDue = (account: SendingAccount, changes = ''): Promise<unknown> =>
      sql(
        `UPDATE account_nonces SET ${changes} due_at = created_at, changes = changes + 1 WHERE address = ?`,
        [account.relayer.address],
      );

    /** A relayer that may only send to another receiver, and is paused. */
    const addTreasury = async (): Promise<SendingAccount> => {
      const treasury = await SendingAccount.add(service, chain, {
        policies: { whitelist_receivers: [OTHER_RECEIVER] },
      });
      expect((await service.patch(treasury.relayer.path, { paused: true })).status).toBe(200);
      return treasury;
    };

    /** A transaction that was signed, but that no node has received. */
    const sendUnseen = async (account: SendingAccount, body: object) => {
      const rule = account.proxy.add(swallowSends());
      const { id } = await account.send(body);
      await account.untilStatus(id, 'submitted');
      return {
        id,
        release: () => {
          account.proxy.remove(rule);
        },
      };
    };

    const unsign = async (id: string, changes: string, values: unknown[] = []): Promise<void> => {
      await sql(
        `UPDATE transactions SET ${changes} needs_attempt = 1, attempt = NULL, hashes = '[]', version = version + 1 WHERE id = ?`,
        [...values, id],
      );
      await sql('DELETE FROM transaction_attempts WHERE transaction_id = ?', [id]);
    };

    it('with the key of another relayer', async () => {
      const treasury = await addTreasury();
      const own = await SendingAccount.add(service, chain);
      const { id, release } = await sendUnseen(own, { value: '777' });
      const [accounts, rows] = [await alteredCount('account_nonces'), await alteredCount('transactions')];
      expect([accounts, rows]).toEqual([0, 0]);
      await makeDue(own, `relayer_id = '${treasury.relayer.id}',`);
      await unsign(id, `open_relayer_id = ?, status = 'submitted', signed_block = 1,`, [treasury.relayer.id]);
      await untilDetected('account_nonces', accounts, own);
      release();
      await untilDetected('account_nonces', await alteredCount('account_nonces'), own);
      expect(await treasury.minedValues()).toEqual([]);
      expect(await own.minedValues()).toEqual([]);

      await makeDue(own, `relayer_id = '${own.relayer.id}',`);
      await sql('UPDATE transactions SET open_relayer_id = relayer_id WHERE id = ?', [id]);
      await own.untilFinal(id);
      expect(await own.minedValues()).toEqual([777]);
    });

    it('for the account of another relayer', async () => {
      const treasury = await addTreasury();
      const own = await SendingAccount.add(service, chain);
      const { id } = await sendUnseen(own, { value: '778' });
      const before = await alteredCount('transactions');
      await sql('UPDATE transactions SET open_relayer_id = ? WHERE id = ?', [treasury.relayer.id, id]);
      await service.patch(treasury.relayer.path, { paused: false });
      const { id: other } = await treasury.send({ to: OTHER_RECEIVER, value: '5' });
      expect((await treasury.untilFinal(other)).status).toBe('confirmed');
      expect(await alteredCount('transactions')).toBeGreaterThan(before);
      expect(await treasury.minedValues()).toEqual([5]);
    });

    it('with a ledger that shows another address', async () => {
      const [victim, own] = [await addTreasury(), await SendingAccount.add(service, chain)];
      const { id, release } = await sendUnseen(own, { value: '779' });
      const before = await alteredCount('account_nonces');
      const { address } = own.relayer;
      await makeDue(own, `address = '${victim.relayer.address}',`);
      await untilDetected('account_nonces', before, own);
      release();
      await sql('UPDATE transactions SET broadcast_at = NULL WHERE id = ?', [id]);
      await sql('UPDATE account_nonces SET address = ? WHERE id LIKE ?', [address, `%${address}`]);
      expect((await own.untilFinal(id)).status).toBe('confirmed');
    });

    it('beyond policies, because it was allegedly signed before', async () => {
      const own = await SendingAccount.add(service, chain);
      const { id, release } = await sendUnseen(own, { value: '780' });
      await service.patch(own.relayer.path, { policies: { whitelist_receivers: [OTHER_RECEIVER] } });
      await unsign(id, 'signed_block = 1,');
      await makeDue(own);
      release();
      const { status, status_reason } = await own.untilFinal(id);
      expect([status, status_reason]).toEqual(['failed', expect.stringContaining('whitelist_receivers')]);
      expect(await own.minedValues()).toEqual([0]);
    });

    /** A canceled transaction whose no-op was mined instead of its request. */
    const addCanceled = async (value: string) => {
      const own = await SendingAccount.add(service, chain);
      const { id, release } = await sendUnseen(own, { value });
      await own.cancel(id);
      release();
      expect((await own.untilFinal(id)).status).toBe('canceled');
      return { own, id };
    };

    const REOPENED = `open_relayer_id = relayer_id, status = 'pending', signed_block = NULL, inclusion = NULL,`;

    it.each([
      ['all of its columns', `${REOPENED} finished_at = NULL, is_canceled = 0, abandoned_as = NULL,`],
      ['all but the time of its end', `${REOPENED} is_canceled = 0, abandoned_as = NULL,`],
      ['all but its cancellation', `${REOPENED} finished_at = NULL,`],
      ['only its status', `open_relayer_id = relayer_id, status = 'submitted', signed_block = 1,`],
    ])('again after its end, by resetting %s', async (_what, changes) => {
      const { own, id } = await addCanceled('790');
      const before = await alteredCount('transactions');
      await unsign(id, changes);
      await makeDue(own);
      await untilDetected('transactions', before, own);
      const { id: other } = await own.send({ value: '6' });
      expect((await own.untilFinal(other)).status).toBe('confirmed');
      expect(await own.minedValues()).toEqual([0, 6]);
    });

    it('after valid_until, or although it was canceled', async () => {
      const own = await SendingAccount.add(service, chain);
      const valid_until = new Date(Date.now() + 600_000).toISOString();
      const { id, release } = await sendUnseen(own, { value: '791', valid_until });
      const before = await alteredCount('transactions');
      await sql('UPDATE transactions SET valid_until = NULL WHERE id = ?', [id]);
      await makeDue(own);
      await untilDetected('transactions', before, own);
      await sql('UPDATE transactions SET valid_until = ? WHERE id = ?', [
        valid_until.replace('T', ' ').replace('Z', ''),
        id,
      ]);
      await own.cancel(id);
      const canceled = await alteredCount('transactions');
      await unsign(id, 'is_canceled = 0, abandoned_as = NULL,');
      await makeDue(own);
      await untilDetected('transactions', canceled, own);
      await sql(`UPDATE transactions SET is_canceled = 1, abandoned_as = 'canceled' WHERE id = ?`, [id]);
      release();
      expect((await own.untilFinal(id)).status).toBe('canceled');
      expect(await own.minedValues()).toEqual([0]);
    });

    it('but what was signed before stricter policies gets higher fees', async () => {
      const own = await SendingAccount.add(service, chain);
      const { id, release } = await sendUnseen(own, { value: '781' });
      await service.patch(own.relayer.path, { policies: { whitelist_receivers: [OTHER_RECEIVER] } });
      release();
      await sql('UPDATE transactions SET needs_attempt = 1, version = version + 1 WHERE id = ?', [id]);
      await makeDue(own);
      const { status, hashes } = await own.untilFinal(id);
      expect([status, hashes.length]).toEqual(['confirmed', 2]);
      expect(await own.minedValues()).toEqual([781]);
    });
  });
});
