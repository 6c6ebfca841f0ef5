import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { DataSource } from 'typeorm';
import { ENTITIES } from '../../src/app/entities';
import { parseDatabaseUrl } from '../../src/config/database-url';
import { createDataSource, dataSourceOptions } from '../../src/database/data-source';
import { has } from '../support/database-products';
import { createSqlite, withSchema } from '../support/databases';
import { PrivateMariaDb } from '../support/private-servers';
import { copySchema } from '../support/schema';

const PAGE = readFileSync(join(__dirname, '../../docs/operations/keys-and-backups.md'), 'utf8');
const [PLAIN_DUMP, COMPOSE_DUMP] = blocksOf('### Backup');
const [PLAIN_RESTORE, COMPOSE_RESTORE, SQLITE_RESTORE] = blocksOf('### Restore');

/** The shell commands of a section. */
function blocksOf(heading: string): string[] {
  const section = PAGE.slice(PAGE.indexOf(`\n${heading}\n`) + heading.length).split('\n### ')[0]!;
  return [...section.matchAll(/```sh\n([^]*?)```/g)].map(([, commands]) => commands!);
}

const network = (id: string): string =>
  `INSERT INTO networks (id, name, network_type, features, tags, explorer_urls, created_at)
   VALUES ('evm:${id}', '${id}', 'evm', '[]', '[]', '[]', '2026-01-01')`;

const opened = (url: string): Promise<DataSource> =>
  createDataSource(dataSourceOptions(parseDatabaseUrl(url), ENTITIES)).initialize();

/** Executes statements with a data source of their own. Returns the rows of the last. */
async function query(url: string, ...statements: string[]): Promise<unknown> {
  const dataSource = await opened(url);
  try {
    let rows: unknown;
    for (const statement of statements) rows = await dataSource.query(statement);
    return rows;
  } finally {
    await dataSource.destroy();
  }
}

const FREEZES =
  'SELECT reason, ABS(TIMESTAMPDIFF(MINUTE, frozen_at, UTC_TIMESTAMP())) < 60 AS is_utc FROM signing_freeze';

/** The clients of MariaDB; those of MySQL are not installed beside them. */
const canRun =
  !process.env.TEST_MYSQLD && PrivateMariaDb.available() && has('mariadb') && has('mariadb-dump');

(canRun ? describe : describe.skip)('The documented backup and restore', () => {
  let server: PrivateMariaDb;
  let folder: string;
  let url: string;

  beforeAll(async () => {
    server = await PrivateMariaDb.create();
    await server.query("SET GLOBAL time_zone = '+05:00'");
  });

  afterAll(() => server.destroy());

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-restore-'));
    const programs = join(folder, 'bin');
    mkdirSync(programs);
    const { port, password } = new URL(server.url);
    for (const [name, program] of [
      ['mysql', 'mariadb'],
      ['mysqldump', 'mariadb-dump'],
    ])
      write(
        join(programs, name!),
        // The options that the page fills in for the reader, or that only MySQL has, are left out.
        `#!/bin/bash
         for a; do case "$a" in -h | -u) skip=1 ;; -p | --set-gtid-purged=OFF) ;; *) [ "$skip" ] || set -- "$@" "$a"; skip= ;; esac; shift; done
         exec ${program} --no-defaults -h 127.0.0.1 -P ${port} -u test --password=${password} "$@"`,
      );
    write(
      join(programs, 'docker'),
      // compose -f <file> exec -T db sh -c <command>
      `#!/bin/bash
       if [ "$4" = exec ]; then MYSQL_PASSWORD=unused exec sh -c "\${@: -1}"; fi`,
    );
    await server.query('DROP DATABASE IF EXISTS relayer');
    await server.query('CREATE DATABASE relayer CHARACTER SET utf8mb4');
    url = `${server.url}/relayer`;
    await copySchema(url);
    await query(url, network('kept'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function write(file: string, text: string): void {
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  }

  const run = (commands: string) =>
    spawnSync('bash', ['-c', commands], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter) },
    });

  const dumps = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.sql'));

  function dump(commands: string): string {
    expect(run(commands)).toMatchObject({ status: 0 });
    expect(dumps()).toEqual([expect.stringMatching(/^relayer-\d{8}T\d{6}Z\.sql$/)]);
    return dumps()[0]!;
  }

  const restore = (commands: string, file: string) => run(commands.replace(/BACKUP=\S+/, `BACKUP=${file}`));

  describe.each([
    ['by the clients', PLAIN_DUMP!, PLAIN_RESTORE!],
    ['with compose', COMPOSE_DUMP!, COMPOSE_RESTORE!],
  ])('%s', (_, dumping, restoring) => {
    it('leaves nothing that is newer than the backup, and freezes signing', async () => {
      const file = dump(dumping);
      await query(url, network('newer'), 'CREATE TABLE of_newer_version (id int)');
      expect(restore(restoring, file)).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^-- Dump completed/),
        stderr: '',
      });
      expect(await query(url, 'SELECT name FROM networks')).toEqual([{ name: 'kept' }]);
      expect(await query(url, "SHOW TABLES LIKE 'of_newer_version'")).toEqual([]);
      expect(await query(url, FREEZES)).toMatchObject([{ reason: 'restored', is_utc: 1 }]);
    });

    it('keeps the reason of a freeze in the backup', async () => {
      await query(
        url,
        "INSERT INTO signing_freeze (id, reason, frozen_at) VALUES ('signing', 'leak', UTC_TIMESTAMP())",
      );
      expect(restore(restoring, dump(dumping))).toMatchObject({ status: 0 });
      expect(await query(url, FREEZES)).toMatchObject([{ reason: 'leak' }]);
    });

    it('deletes nothing if the dump is incomplete or missing', async () => {
      const file = join(folder, dump(dumping));
      writeFileSync(file, readFileSync(file, 'utf8').slice(0, 5000));
      for (const name of [file, 'missing.sql'])
        expect(restore(restoring, name)).toMatchObject({ status: 1, stdout: '' });
      expect(await query(url, 'SELECT name FROM networks')).toEqual([{ name: 'kept' }]);
      expect(await query(url, FREEZES)).toEqual([]);
    });
  });

  (has('sqlite3') ? it : it.skip).each([
    ['replaces all files of SQLite', ['relayer.sqlite', 'relayer.sqlite-wal']],
    ['restores a file of SQLite that was lost', []],
  ])('%s, and freezes signing', async (_, damaged) => {
    const database = await withSchema(createSqlite)();
    try {
      mkdirSync(join(folder, 'data'));
      const file = 'relayer-20260101T000000Z.sqlite';
      await query(database.url, network('kept'), `VACUUM INTO '${join(folder, file)}'`);
      for (const name of damaged) writeFileSync(join(folder, 'data', name), 'of the damaged database');
      expect(restore(SQLITE_RESTORE!, file)).toMatchObject({ status: 0, stderr: '' });
      const restored = `sqlite:${join(folder, 'data/relayer.sqlite')}`;
      expect(await query(restored, 'SELECT name FROM networks')).toEqual([{ name: 'kept' }]);
      expect(await query(restored, 'SELECT id, reason FROM signing_freeze')).toEqual([
        { id: 'signing', reason: 'restored' },
      ]);
      const [moved = ''] = readdirSync(join(folder, 'data')).filter((name) => name.startsWith('before'));
      expect(readdirSync(join(folder, 'data', moved)).sort()).toEqual(damaged);
    } finally {
      await database.drop();
    }
  });
});
