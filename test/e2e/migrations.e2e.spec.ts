import { Logger } from '@nestjs/common';
import { DataSource, MigrationExecutor, type MigrationInterface } from 'typeorm';
import { ENTITIES } from '../../src/app/entities';
import type { DatabaseSettings } from '../../src/config/app-config';
import { parseDatabaseUrl } from '../../src/config/database-url';
import { createDataSource, dataSourceOptions } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { MIGRATIONS } from '../../src/database/migrations/migrations';
import { describeOnEmptyDatabases, SERVER, type TestDatabase } from '../support/databases';

/** TypeORM compares schemas correctly only if it knows the server: this distinguishes MariaDB from MySQL. */
function settingsOf(database: TestDatabase): DatabaseSettings {
  return parseDatabaseUrl(database.url.replace(/^mysql:/, `${SERVER.type}:`));
}

describeOnEmptyDatabases('Migrations', (createDatabase) => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createDatabase();
    dataSource = await createDataSource(dataSourceOptions(settingsOf(database), ENTITIES)).initialize();
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const drift = async (): Promise<string[]> =>
    (await dataSource.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);

  const applied = async (): Promise<number> => {
    const runner = dataSource.createQueryRunner();
    const executed = await new MigrationExecutor(dataSource, runner).getExecutedMigrations();
    await runner.release();
    return executed.length;
  };

  it('create the schema that the entities describe', async () => {
    await migrate(dataSource);
    expect(await drift()).toEqual([]);
    expect(await applied()).toBe(MIGRATIONS.length);
  });

  it('are refused if a newer version has migrated the database', async () => {
    await migrate(dataSource);
    await dataSource.query(
      `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'OfTheNextRelease9999999999999')`,
    );
    await expect(migrate(dataSource)).rejects.toThrow(
      'The database was migrated by a newer version of the service (migration OfTheNextRelease9999999999999)',
    );
  });

  it('can be undone one by one down to an empty schema, and applied again', async () => {
    await migrate(dataSource);
    while ((await applied()) > 0) await dataSource.undoLastMigration({ transaction: 'each' });
    const runner = dataSource.createQueryRunner();
    for (const table of [
      'signing_freeze',
      'relayers',
      'rpc_unfinished_calls',
      'network_seeds',
      'networks',
      'delivery_attempts',
      'deliveries',
      'notifications',
      'signers',
    ])
      expect(await runner.hasTable(table)).toBe(false);
    await runner.release();
    await migrate(dataSource);
    expect(await drift()).toEqual([]);
  });

  it('can be undone again after any statement of an interrupted attempt', async () => {
    await migrate(dataSource);
    for (const migration of dataSource.migrations.toReversed()) {
      // SQLite undoes what an interrupted statement, or copy of a table, has done.
      let statements = dataSource.options.type === 'better-sqlite3' ? Infinity : 0;
      while (!(await undo(migration, statements))) statements += 1;
      expect([migration.name, await undo(migration, Infinity)]).toEqual([migration.name, true]);
    }
    await dataSource.query('DELETE FROM migrations');
    await migrate(dataSource);
    expect(await drift()).toEqual([]);
  });

  /** Undoes a migration, but ends before a statement that changes something if that many were executed. */
  async function undo(migration: MigrationInterface, statements: number): Promise<boolean> {
    const runner = dataSource.createQueryRunner();
    const query = runner.query.bind(runner);
    const interruption = new Error('The process was killed');
    let left = statements;
    runner.query = (statement: string, ...others: never[]) => {
      if (!/^\s*(SELECT|PRAGMA|SHOW)\b/i.test(statement) && left-- <= 0) return Promise.reject(interruption);
      return query(statement, ...others);
    };
    try {
      await runner.beforeMigration();
      await migration.down(runner);
      await runner.afterMigration();
      return true;
    } catch (error) {
      if (error === interruption) return false;
      throw error;
    } finally {
      await runner.release();
    }
  }

  it('delete notifications that only they hide when they are undone', async () => {
    await migrate(dataSource);
    const AT = "'2026-01-01 00:00:00.000'";
    const rows = [`'shown', NULL, NULL`, `'former:1', ${AT}, 'hooks.example.com'`, `'deleted', ${AT}, NULL`];
    for (const [index, row] of rows.entries()) {
      await dataSource.query(
        `INSERT INTO notifications (id, deleted_at, former_host, type, url, created_at) VALUES (${row}, 'webhook', 'u', ${AT})`,
      );
      const [id] = row.split(',');
      await dataSource.query(
        `INSERT INTO deliveries (id, notification_id, event, payload, state, attempts, give_up_at, created_at) VALUES ('d${index}', ${id}, 'e', '{}', 'pending', 1, ${AT}, ${AT})`,
      );
      await dataSource.query(
        `INSERT INTO delivery_attempts (id, delivery_id, started_at, duration_ms) VALUES ('a${index}', 'd${index}', ${AT}, 1)`,
      );
    }
    const left = async (): Promise<unknown[]> => [
      await dataSource.query('SELECT id FROM notifications ORDER BY id'),
      await dataSource.query('SELECT id FROM deliveries ORDER BY id'),
      await dataSource.query('SELECT delivery_id AS id FROM delivery_attempts ORDER BY id'),
    ];
    const undoTo = async (name: string): Promise<void> => {
      const before = MIGRATIONS.findIndex((migration) => migration.name.startsWith(name));
      while ((await applied()) > before) await dataSource.undoLastMigration({ transaction: 'each' });
    };
    await undoTo('AddFormerReceivers');
    expect(await left()).toEqual([
      [{ id: 'deleted' }, { id: 'shown' }],
      [{ id: 'd0' }, { id: 'd2' }],
      [{ id: 'd0' }, { id: 'd2' }],
    ]);
    await undoTo('AddNotificationDeletion');
    expect(await left()).toEqual([[{ id: 'shown' }], [{ id: 'd0' }], [{ id: 'd0' }]]);
  });

  it('can run concurrently on several instances, and change nothing the second time', async () => {
    await migrate(dataSource);
    const others = dataSource.options.type === 'better-sqlite3' ? [] : [1, 2, 3];
    await Promise.all([migrate(dataSource), ...others.map(() => migrate(dataSource))]);
    expect(await applied()).toBe(MIGRATIONS.length);
  });

  const addSigner = (): Promise<unknown> =>
    dataSource.query(
      "INSERT INTO signers (id, kind, settings, secret, created_at) VALUES ('s', 'local', '{}', NULL, '2026-01-01')",
    );

  const addRelayer = (id: string, network: string, type = 'evm', signer = 's'): Promise<unknown> =>
    dataSource.query(
      "INSERT INTO relayers (id, name, network, network_type, address, signer_id, paused, system_disabled, policies, created_at) VALUES (?, 'R', ?, ?, '0x', ?, 0, 0, '{}', '2026-01-01')",
      [id, network, type, signer],
    );

  it('prevent a relayer from referring to a missing signer or network', async () => {
    await migrate(dataSource);
    await addSigner();
    await dataSource.query(
      "INSERT INTO networks (id, name, network_type, features, tags, explorer_urls, created_at) VALUES ('evm:n', 'n', 'evm', '[]', '[]', '[]', '2026-01-01')",
    );
    await expect(addRelayer('r', 'n', 'evm', 'nobody')).rejects.toThrow(/foreign key/i);
    await expect(addRelayer('r', 'other')).rejects.toThrow(/foreign key/i);
    await expect(addRelayer('r', 'n', 'solana')).rejects.toThrow(/foreign key/i);
    await addRelayer('r', 'n');
    await expect(dataSource.query('DELETE FROM networks')).rejects.toThrow(/foreign key/i);
  });

  it('create the networks that relayers named before networks were stored', async () => {
    const before = MIGRATIONS.findIndex(({ name }) => name.startsWith('RelayersNameNetworks'));
    await migrate(dataSource);
    while ((await applied()) > before) await dataSource.undoLastMigration({ transaction: 'each' });
    await addSigner();
    for (const [index, [network, type]] of [
      ['sepolia', 'evm'],
      ['Sepolia', 'evm'],
      ['my own net', 'evm'],
      ['sepolia', 'solana'],
    ].entries())
      await addRelayer(`r${index}`, network!, type);
    await migrate(dataSource);
    const networks: { id: string; created_at: unknown }[] = await dataSource.query(
      'SELECT id, name, network_type, chain_id, rpc_urls, created_at FROM networks ORDER BY id',
    );
    expect(networks).toEqual(
      [
        ['evm', 'Sepolia'],
        ['evm', 'my own net'],
        ['evm', 'sepolia'],
        ['solana', 'sepolia'],
      ].map(([network_type, name]) => ({
        id: `${network_type}:${name}`,
        name,
        network_type,
        chain_id: null,
        rpc_urls: null,
        created_at: expect.anything(),
      })),
    );
    expect(await dataSource.query('SELECT id FROM relayers')).toHaveLength(4);
    expect(await drift()).toEqual([]);
  });

  describe('of signing policies', () => {
    const ROWS: Record<string, [type: string, before: object, after: object]> = {
      open: ['evm', {}, {}],
      peer: [
        'evm',
        { whitelist_receivers: [], gas_price_cap: '5' },
        { whitelist_receivers: [], gas_price_cap: '5' },
      ],
      empty: [
        'evm',
        { typed_data: {} },
        { typed_data: { allow_blind_hashes: true }, messages: { allow: 'any' }, transactions: {} },
      ],
      blind: [
        'evm',
        { min_balance: 1, typed_data: { allow_blind_hashes: true } },
        {
          min_balance: 1,
          typed_data: { allow_blind_hashes: true },
          messages: { allow: 'any' },
          transactions: {},
        },
      ],
      sighted: [
        'evm',
        { typed_data: { allow_blind_hashes: false } },
        { typed_data: { allow_blind_hashes: false }, messages: { allow: 'any' }, transactions: {} },
      ],
      listed: [
        'evm',
        { typed_data: { allowed: [{ primary_type: 'Permit' }] } },
        {
          typed_data: { allowed: [{ primary_type: 'Permit' }] },
          messages: { allow: 'any' },
          transactions: {},
        },
      ],
      other: ['solana', { min_balance: 1 }, { min_balance: 1 }],
    };

    const policiesOf = async (): Promise<Record<string, unknown>> => {
      const rows: { id: string; policies: unknown }[] = await dataSource.query(
        'SELECT id, policies FROM relayers',
      );
      return Object.fromEntries(
        rows.map(({ id, policies }) => [id, typeof policies === 'string' ? JSON.parse(policies) : policies]),
      );
    };
    const setPolicies = (id: string, policies: object): Promise<unknown> =>
      dataSource.query('UPDATE relayers SET policies = ? WHERE id = ?', [JSON.stringify(policies), id]);

    const downBefore = async (): Promise<void> => {
      const before = MIGRATIONS.findIndex(({ name }) => name.startsWith('StateSigningPolicies'));
      while ((await applied()) > before) await dataSource.undoLastMigration({ transaction: 'each' });
    };

    beforeEach(async () => {
      await migrate(dataSource);
      await downBefore();
      await addSigner();
      for (const [id, [type, policies]] of Object.entries(ROWS)) {
        await dataSource.query(
          "INSERT INTO networks (id, name, network_type, features, tags, explorer_urls, created_at) VALUES (?, ?, ?, '[]', '[]', '[]', '2026-01-01')",
          [`${type}:${id}`, id, type],
        );
        await addRelayer(id, id, type);
        await setPolicies(id, policies);
      }
    });

    afterEach(() => jest.restoreAllMocks());

    it('state what relayers could sign until now, and log it', async () => {
      const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
      await migrate(dataSource);
      expect(await policiesOf()).toEqual(
        Object.fromEntries(Object.entries(ROWS).map(([id, [, , after]]) => [id, after])),
      );
      expect(
        warn.mock.calls.map(([, fields]) => (fields as { relayer_id: string }).relayer_id).sort(),
      ).toEqual(['blind', 'empty', 'listed', 'sighted']);
      expect(warn).toHaveBeenCalledWith(expect.stringContaining('now state what it signs'), {
        relayer_id: 'sighted',
        policies: { messages: { allow: 'any' }, transactions: {} },
      });
    });

    it('change nothing if they run again on migrated rows', async () => {
      await migrate(dataSource);
      const once = await policiesOf();
      await dataSource.query("DELETE FROM migrations WHERE name LIKE 'StateSigningPolicies%'");
      const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
      await migrate(dataSource);
      expect(await policiesOf()).toEqual(once);
      expect(warn).not.toHaveBeenCalled();
    });

    it('when undone, retain only policies known to the previous version, and allow no more full typed data', async () => {
      await migrate(dataSource);
      const listed = { primary_type: 'Mail' };
      const constrained = { primary_type: 'Permit', fields: { value: { max: 5 } } };
      await setPolicies('listed', {
        min_balance: 1,
        typed_data: { allowed: [listed, constrained] },
        messages: { allow: 'none' },
      });
      await setPolicies('peer', { whitelist_receivers: [], transactions: { max_value: 1 } });
      await downBefore();
      expect(await policiesOf()).toMatchObject({
        listed: { min_balance: 1, typed_data: { allowed: [listed] } },
        peer: { whitelist_receivers: [] },
        empty: { typed_data: { allow_blind_hashes: true } },
      });
      for (const policies of Object.values(await policiesOf()))
        expect(Object.keys(policies as object)).not.toEqual(
          expect.arrayContaining([expect.stringMatching(/^(messages|transactions)$/)]),
        );
    });
  });

  it('find the accounts of all deleted relayers in the audit log', async () => {
    const before = MIGRATIONS.findIndex(({ name }) => name.startsWith('CreateFormerAccounts'));
    await migrate(dataSource);
    while ((await applied()) > before) await dataSource.undoLastMigration({ transaction: 'each' });
    const [columns, deletions] = [
      'chain, sequence, at, action, relayer_id, outcome, changes, hash',
      Array.from({ length: 2001 }, (_, i) => {
        const fields = { address: `0x${i % 1500}`, network: 'n', network_type: 'evm', chain_id: '7' };
        const changes = Object.entries(fields).map(([name, value]) => [name, { before: value, after: null }]);
        return [1, i + 1, '2026-01-01 00:00:00', 'relayer.delete', `r${i}`, 'success']
          .concat(JSON.stringify(Object.fromEntries(changes)), '')
          .map((value) => `'${value}'`)
          .join();
      }),
    ];
    // The row of this relayer was altered, so its account is not known.
    deletions.push("1, 2002, '2026-01-01 00:00:00', 'relayer.delete', 'altered', 'success', NULL, ''");
    await dataSource.query(`INSERT INTO audit_events (${columns}) VALUES (${deletions.join('), (')})`);
    await migrate(dataSource);
    const rows: { address: string; relayer_id: string; chain_id: string }[] = await dataSource.query(
      'SELECT address, relayer_id, chain_id FROM former_accounts',
    );
    expect(rows).toHaveLength(1500);
    expect(new Set(rows.map(({ chain_id }) => chain_id))).toEqual(new Set(['7']));
    const last = new Map(rows.map(({ address, relayer_id: id }) => [address, id]));
    expect([last.get('0x0'), last.get('0x500'), last.get('0x501')]).toEqual(['r1500', 'r2000', 'r501']);
  });

  it('find the notifications that name events sent regardless of the relayer', async () => {
    const before = MIGRATIONS.findIndex(({ name }) => name.startsWith('AddNotificationSubscribers'));
    await migrate(dataSource);
    while ((await applied()) > before) await dataSource.undoLastMigration({ transaction: 'each' });
    const lists = [
      null,
      '["relayer_update","signature_created"]',
      '["relayer_update","signer_deleted"]',
      '["change_update"]',
      '["acme-ledger.entry_booked"]',
    ];
    for (const [id, list] of lists.entries())
      await dataSource.query(
        "INSERT INTO notifications (id, type, url, events, created_at) VALUES (?, 'webhook', 'u', ?, '2026-01-01')",
        [String(id), list],
      );
    await migrate(dataSource);
    const where = 'is_subscriber = 1 ORDER BY id';
    expect(await dataSource.query(`SELECT id FROM notifications WHERE ${where}`)).toEqual([
      { id: '2' },
      { id: '3' },
      { id: '4' },
    ]);
  });

  it('continue where an interrupted migration stopped', async () => {
    const before = MIGRATIONS.findIndex(({ name }) => name.startsWith('RelayersNameNetworks'));
    await migrate(dataSource);
    while ((await applied()) > before) await dataSource.undoLastMigration({ transaction: 'each' });
    await dataSource.query('CREATE INDEX ix_relayers_network ON relayers (network_type, network)');
    await migrate(dataSource);
    expect(await drift()).toEqual([]);
  });
});
