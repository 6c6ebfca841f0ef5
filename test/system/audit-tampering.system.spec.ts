import { DataSource } from 'typeorm';
import { AuditChainEntity } from '../../src/audit/audit-chain.entity';
import { AuditLog } from '../../src/audit/audit-log';
import { SERVER } from '../support/databases';
import { describeService } from '../support/describe-service';
import { sealRows } from '../support/row-macs';
import { CommandProcess } from '../support/stored-secrets';
import { UNALTERED, verifyAuditLog } from '../support/verify-audit-log';

/** Columns of events, with another value for each. */
const ALTERED: Record<string, unknown> = {
  at: '2030-01-01 00:00:00.000',
  key_id: 'other',
  action: 'relayer.create',
  relayer_id: 'other',
  signer_id: 'other',
  request_id: 'other',
  client_ip: '192.0.2.9',
  outcome: 'failure',
  code: 'x',
  digest: 'cd'.repeat(32),
  form: 'message',
  changes: '{"name":{"before":"a","after":"c"}}',
  hash: 'ab'.repeat(32),
};

/** Other forms of stored values, which drivers return as the same values: the row matches its hash. */
const OTHER_FORMS: Record<string, Record<string, string>> = {
  SQLite: {
    'a time that sorts before all others': "at = '+00' || REPLACE(at, ' ', 'T') || 'Z'",
    'a time that sorts after its own cursor': "at = REPLACE(at, ' ', 'T') || 'Z'",
    'a time with a hidden end': "at = at || CHAR(0) || 'x'",
    'a time that is a number': 'at = 1764090842085',
    'a relayer id with a hidden end': "relayer_id = relayer_id || CHAR(0) || 'x'",
    'an action with a hidden end': "action = action || CHAR(0) || 'x'",
  },
  [SERVER.name]: {
    'a time that sorts after its own cursor': 'at = at + INTERVAL 5 MICROSECOND',
  },
};

describeService('A tampered audit log', { startFor: 'test' }, ({ service, database, databaseName }) => {
  const query = <T>(statement: string, values: unknown[] = []): Promise<T[]> =>
    service.app.get(DataSource).query<T[]>(statement, values);

  const verify = (): Promise<string> => verifyAuditLog(service);

  const record = (relayerId: string): Promise<void> =>
    service.app.get(AuditLog).record({
      action: 'relayer.update',
      relayerId,
      signerId: 's',
      changes: { name: { before: 'a', after: 'b' } },
    });

  /** The second of two chains. The first records the start; in this one the place of each event is known. */
  let second: number;

  beforeEach(async () => {
    const [found] = await query<{ count: number | string }>('SELECT COUNT(*) AS count FROM audit_chains');
    second = Number(found?.count);
    // A process abandons a chain whose head something else has changed.
    await query(`UPDATE audit_chains SET sequence = sequence + 1 WHERE id = '${second - 1}'`);
    await expect(record('a')).rejects.toThrow('not as this process wrote it');
    await query(`UPDATE audit_chains SET sequence = sequence - 1 WHERE id = '${second - 1}'`);
    for (const id of ['a', 'b', 'c', 'd']) await record(id);
    expect(await verify()).toMatch(UNALTERED);
  });

  it.each(Object.entries(ALTERED))('is detected if %s was altered', async (column, value) => {
    await query(`UPDATE audit_events SET ${column} = ? WHERE chain = ? AND sequence = 2`, [value, second]);
    expect(await verify()).toBe(`event ${second}-2: it does not match its hash: it was altered`);
  });

  it.each(Object.entries(OTHER_FORMS[databaseName] ?? {}))(
    'is detected if a row has %s, which hides it from filters',
    async (_form, assignment) => {
      await query(`UPDATE audit_events SET ${assignment} WHERE chain = ? AND sequence = 2`, [second]);
      expect(await verify()).toBe(
        `event ${second}-2: it is not stored in the form that the service writes: it was altered`,
      );
    },
  );

  it('is detected if a row was removed', async () => {
    await query('DELETE FROM audit_events WHERE chain = ? AND sequence = 3', [second]);
    expect(await verify()).toBe(`event ${second}-3: it is missing`);
  });

  it('is detected if the newest rows were removed', async () => {
    await query('DELETE FROM audit_events WHERE chain = ? AND sequence >= 3', [second]);
    expect(await verify()).toBe(`event ${second}-3: it is missing`);
  });

  it('is detected if the newest rows were removed and the head was set back', async () => {
    await query('DELETE FROM audit_events WHERE chain = ? AND sequence >= 3', [second]);
    await query(
      'UPDATE audit_chains SET sequence = 2, hash = (SELECT hash FROM audit_events WHERE chain = ? AND sequence = 2) WHERE id = ?',
      [second, String(second)],
    );
    expect(await verify()).toBe(`chain ${second}: its head does not match its MAC: it was altered`);
  });

  it('is detected if two rows were swapped', async () => {
    const place = 'UPDATE audit_events SET sequence = ? WHERE chain = ? AND sequence = ?';
    await query(place, [99, second, 1]);
    await query(place, [1, second, 2]);
    await query(place, [2, second, 99]);
    expect(await verify()).toBe(`event ${second}-1: it does not match its hash: it was altered`);
  });

  const COPIED =
    'at, key_id, action, relayer_id, signer_id, request_id, client_ip, outcome, code, digest, form, changes, hash';

  it.each([
    ['after the newest', 5, 'it is beyond the signed head: it was added'],
    ['before the first', 0, 'it is missing'],
  ])('is detected if a row was added %s', async (_where, sequence, fault) => {
    await query(
      `INSERT INTO audit_events (chain, sequence, ${COPIED}) SELECT chain, ${sequence}, ${COPIED} FROM audit_events WHERE chain = ? AND sequence = 4`,
      [second],
    );
    if (sequence === 0) await query('DELETE FROM audit_events WHERE chain = ? AND sequence = 1', [second]);
    expect(await verify()).toBe(`event ${second}-${sequence || 1}: ${fault}`);
  });

  it.each([0, -7])('is detected if a row was added with the sequence number %d', async (sequence) => {
    await query(
      `INSERT INTO audit_events (chain, sequence, ${COPIED}) SELECT chain, ${sequence}, ${COPIED} FROM audit_events WHERE chain = ? AND sequence = 4`,
      [second],
    );
    expect(await verify()).toBe(`event ${second}-${sequence}: it is before the first: it was added`);
  });

  it('is detected if a row was added to an unregistered chain', async () => {
    await query(
      `INSERT INTO audit_events (chain, sequence, ${COPIED}) SELECT 99, 1, ${COPIED} FROM audit_events WHERE chain = ? AND sequence = 1`,
      [second],
    );
    expect(await verify()).toBe('event 99-1: its chain is unknown to the register: it was added');
  });

  // The columns of other databases hold only integers.
  // Other databases store whole numbers only.
  if (databaseName === 'SQLite')
    it('is detected if a row was added between two chains', async () => {
      await query(
        `INSERT INTO audit_events (chain, sequence, ${COPIED}) SELECT chain - 0.5, 1, ${COPIED} FROM audit_events WHERE chain = ? AND sequence = 1`,
        [second],
      );
      expect(await verify()).toBe(
        `event ${second - 0.5}-1: its chain is unknown to the register: it was added`,
      );
    });

  it('is detected if a whole chain was removed, even the newest', async () => {
    for (const number of [second, 1]) {
      await query('DELETE FROM audit_events WHERE chain = ?', [number]);
      await query('DELETE FROM audit_chains WHERE id = ?', [String(number)]);
      expect(await verify()).toBe(`chain ${number}: its head is missing, although later ones were begun`);
    }
  });

  it('is detected if the register was removed or altered', async () => {
    await query("UPDATE audit_chains SET sequence = sequence - 1 WHERE id = '0'");
    expect(await verify()).toBe('the register of chains does not match its MAC: it was altered');
    await query("DELETE FROM audit_chains WHERE id = '0'");
    expect(await verify()).toBe(
      'the register of chains is missing: the service writes it with its first event',
    );
  });

  it.each([
    ['name', "'x'"],
    ['hash', `'${'ab'.repeat(32)}'`],
    ['pruned_at', "'2030-01-01 00:00:00.000'"],
    ['created_at', "'2030-01-01 00:00:00.000'"],
    ['mac', 'NULL'],
  ])('is detected if %s of a head was altered', async (column, value) => {
    await query(`UPDATE audit_chains SET ${column} = ${value} WHERE id = ?`, [String(second)]);
    expect(await verify()).toBe(`chain ${second}: its head does not match its MAC: it was altered`);
  });

  it('is detected if a head was added', async () => {
    const columns = 'name, sequence, hash, pruned_at, exported, export_at, mac, created_at';
    await query(
      `INSERT INTO audit_chains (id, ${columns}) SELECT '99', ${columns} FROM audit_chains WHERE id = '1'`,
    );
    expect(await verify()).toBe('chain 99: it was added');
  });

  it('is detected if a head was added whose id is cut off when it is read', async () => {
    const columns = 'name, sequence, hash, pruned_at, exported, export_at, mac, created_at';
    await query(
      `INSERT INTO audit_chains (id, ${columns}) SELECT CONCAT(id, CHAR(0), 'x'), ${columns} FROM audit_chains WHERE id = '1'`,
    );
    expect(await verify()).toMatch(/^chain 1(\0x)?: it was added$/);
  });

  /** @param hours since the start of a purge of the second chain that has left its last row */
  const purge = async (hours: number): Promise<void> => {
    const begun = { prunedAt: new Date(Date.now() - hours * 3_600_000) };
    await query('DELETE FROM audit_events WHERE chain = ? AND sequence < 4', [second]);
    await service.app
      .get(DataSource)
      .getRepository(AuditChainEntity)
      .update({ id: String(second) }, begun);
    await sealRows(service, AuditChainEntity, String(second));
  };

  it('is not reported if a chain was purged according to its head', async () => {
    await purge(23);
    const complete = /^\d+ events in \d+ chains, 1 of them purged: complete and unaltered$/;
    expect(await verify()).toMatch(complete);
    await query('DELETE FROM audit_events WHERE chain = ?', [second]);
    await purge(25);
    expect(await verify()).toMatch(complete);
  });

  it('is detected if a purged chain has a row', async () => {
    await purge(25);
    expect(await verify()).toMatch(
      new RegExp(
        `^event ${second}-4: its chain was purged at [\\dT:.Z-]+: it was added, or the purge was interrupted$`,
      ),
    );
  });

  it('makes the command fail and report the first altered row', async () => {
    const keys = service.config.storageKeys.map((key) => key.reveal());
    const run = async () => {
      const command = new CommandProcess(['commands/audit-verify.js'], database, ...keys);
      return { code: await command.ended, stdout: command.stdout, stderr: command.stderr };
    };
    expect(await run()).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+ events in \d+ chains: complete and unaltered\n$/),
      stderr: '',
    });
    await query('UPDATE audit_events SET key_id = NULL WHERE chain = ? AND sequence = 1', [second]);
    await query("UPDATE audit_events SET relayer_id = 'x' WHERE chain = ? AND sequence IN (2, 3)", [second]);
    expect(await run()).toEqual({
      code: 1,
      stdout: '',
      stderr: `event ${second}-2: it does not match its hash: it was altered\n`,
    });
  });
});
