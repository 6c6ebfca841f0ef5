import { UnitOfWork } from '../../src/database/unit-of-work';
import { newTransaction } from '../../src/transactions/new-transaction';
import { TransactionRows } from '../../src/transactions/transaction-rows';
import type { TransactionEntity } from '../../src/transactions/transaction.entity';
import { describeService } from '../support/describe-service';
import { TestNotification } from '../support/notifications';

const NOBODY = { notificationId: null };

describeService('Changes of many transactions', ({ service }) => {
  const rowsOf = () => service.app.get(TransactionRows);
  const run = <T>(work: () => Promise<T>): Promise<T> => service.app.get(UnitOfWork).run(work);

  /** Stores transactions without a relayer, and returns them as they are read back. */
  const add = async (accountId: string, count: number): Promise<TransactionEntity[]> => {
    const rows = Array.from({ length: count }, (_, nonce) =>
      newTransaction({ accountId, relayerId: 'r', openRelayerId: null, sender: '0x', request: {}, nonce }),
    );
    await run(() => rowsOf().insert([{ rows, audience: NOBODY }]));
    return stored(accountId);
  };

  const stored = (accountId: string): Promise<TransactionEntity[]> =>
    rowsOf().find({ where: { accountId }, order: { nonce: 'ASC' } });

  it('apply the changes of each row, and leave its other columns unchanged', async () => {
    const rows = await add('many', 250);
    const signedAt = new Date('2026-01-02T03:04:05.678Z');
    const decisions = rows.map((row, i) => ({
      row,
      changes: {
        ...{ status: 'sent' as const, needsAttempt: false, broadcastAt: signedAt, hashes: [`0x${i}`] },
        ...(i % 2 === 0 && { statusReason: `It's "${i}" \\ ?`, signedBlock: i }),
      },
      audience: NOBODY,
    }));
    const changed = await run(() => rowsOf().changeAll(decisions));
    const after = await stored('many');
    expect(after).toEqual(changed);
    expect(after).toHaveLength(250);
    for (const [i, row] of after.entries())
      expect(row).toMatchObject({
        ...{ id: rows[i]!.id, status: 'sent', version: 2, needsAttempt: false, broadcastAt: signedAt },
        ...{ hashes: [`0x${i}`], signedBlock: i % 2 === 0 ? i : null },
        statusReason: i % 2 === 0 ? `It's "${i}" \\ ?` : null,
      });
  });

  it('skip a row that someone else has changed', async () => {
    const rows = await add('contended', 3);
    const theirs = { isCanceled: true, statusReason: 'Theirs' };
    await run(() => rowsOf().change(rows[1]!, theirs, NOBODY));
    const decisions = rows.map((row) => ({ row, changes: { statusReason: 'Ours' }, audience: NOBODY }));
    const changed = await run(() => rowsOf().changeAll(decisions));
    expect(changed.map(({ nonce }) => nonce)).toEqual([0, 2]);
    const after = await stored('contended');
    expect(after.map(({ statusReason }) => statusReason)).toEqual(['Ours', 'Theirs', 'Ours']);
    expect(after.map(({ version }) => version)).toEqual([2, 2, 2]);
    // The rows changed above count as changed by someone else.
    expect(await run(() => rowsOf().changeAll(decisions))).toEqual([]);
  });

  it('are rejected if a transaction is changed twice', async () => {
    const rows = await add('twice', 2);
    const decisions = [...rows, rows[0]!].map((row) => ({
      row,
      changes: { signedBlock: 1 },
      audience: NOBODY,
    }));
    await expect(run(() => rowsOf().changeAll(decisions))).rejects.toThrow('twice');
    expect((await stored('twice')).map(({ signedBlock }) => signedBlock)).toEqual([null, null]);
  });

  it('can free the nonce of a final transaction repeatedly', async () => {
    const given = {
      accountId: 'freed',
      relayerId: 'r',
      openRelayerId: null,
      sender: '0x',
      request: {},
      nonce: 0,
    };
    const rows = [0, 1, 2].map(() =>
      newTransaction({ ...given, status: 'confirmed', finishedAt: new Date() }),
    );
    for (const row of rows) {
      await run(() => rowsOf().insert([{ rows: [row], audience: NOBODY }]));
      await run(async () => rowsOf().freeNonce((await rowsOf().findToChange(row.id))!));
    }
    const freed = await stored('freed');
    expect(freed.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).reverse());
    expect(freed.map(({ nonce }) => nonce)).toEqual([-(2 ** 52) - 3, -(2 ** 52) - 2, -(2 ** 52) - 1]);
  });

  it('are rejected if a status transition is illegal', async () => {
    const rows = await add('illegal', 2);
    const decisions = rows.map((row) => ({
      row,
      changes: { status: 'confirmed' as const },
      audience: NOBODY,
    }));
    await expect(run(() => rowsOf().changeAll(decisions))).rejects.toThrow('pending to confirmed');
    expect((await stored('illegal')).map(({ status }) => status)).toEqual(['pending', 'pending']);
  });

  it('support large attempts of rows that only share a statement with a row that gets another attempt', async () => {
    const data = `0x${'00'.repeat(128 * 1024)}`;
    const large = await add('replaced', 100);
    const withData = large.map((row) => ({ row, changes: { attempt: { data } as never }, audience: NOBODY }));
    const rows = await run(() => rowsOf().changeAll(withData));
    const decisions = rows.map((row, i) => ({
      row,
      changes: { statusReason: 'Changed', ...(i === 0 && { attempt: { hash: '0x1' } as never }) },
      audience: NOBODY,
    }));
    expect(await run(() => rowsOf().changeAll(decisions))).toHaveLength(100);
    const after = await stored('replaced');
    expect(new Set(after.map(({ statusReason }) => statusReason))).toEqual(new Set(['Changed']));
    expect(after[0]?.attempt).toEqual({ hash: '0x1' });
    expect(after.slice(1).filter(({ attempt }) => attempt?.data !== data)).toEqual([]);
  });

  it('support large data of 100 transactions that are stored and changed together', async () => {
    await TestNotification.add(service, 'https://127.0.0.1:1');
    const audience = { notificationId: 'hook' };
    const data = `0x${'00'.repeat(128 * 1024)}`;
    const large = Array.from({ length: 100 }, (_, nonce) =>
      newTransaction({
        ...{ accountId: 'large', relayerId: 'r', openRelayerId: null, sender: '0x', nonce },
        request: { value: '0', data },
      }),
    );
    await run(() => rowsOf().insert([{ rows: large, audience }]));
    const rows = await stored('large');
    const decisions = rows.map((row) => ({ row, changes: { status: 'sent' as const }, audience }));
    expect(await run(() => rowsOf().changeAll(decisions))).toHaveLength(100);
    const attempts = rows.map(({ id }, number) => ({
      ...{ transactionId: id, number, kind: 'request' as const, nonce: number, hash: `0x${number}` },
      ...{ raw: data, content: {} as never, acknowledgedAt: null, createdAt: new Date() },
    }));
    await run(() => rowsOf().insertAttempts(attempts));
    const { id } = rows[99]!;
    expect(await rowsOf().bytesOf(id, '0x99')).toBe(data);
    expect(await rowsOf().bytesOf(id, '0x98')).toBeNull();
    const [shown] = await rowsOf().attemptsOf(id);
    expect(shown).toMatchObject({
      transactionId: id,
      number: 99,
      kind: 'request',
      hash: '0x99',
      content: {},
    });
    expect(shown).not.toHaveProperty('raw', expect.anything());
  });
});
