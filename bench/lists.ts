/**
 * Measures the cost of a page of relayers in short and long lists: the first page, the last one, and both by cursor.
 */
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import Database from 'libsql';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { PrivateMariaDb } from '../test/support/private-servers';
import { createDatabase } from './database';
import { cpuSeconds } from './process';
import { machine, printTable, writeJson } from './report';
import { summary, type Summary } from './rounds';
import { BenchedService, NETWORK } from './service';
import { numberRows } from '../test/support/number-rows';

const PER_PAGE = 10;
const SIZES = [200_000, 5_000_000];
const ROWS_PER_STATEMENT = 500_000;
/** Requests of one kind: as many as fit into this time, within these limits. */
const LEAST_REQUESTS = 5;
const MOST_REQUESTS = 200;
const ENOUGH_MS = 2_000;

/** The service created the relayers at the end of the list, because rows that are read must have a MAC. */
const LAST = "UPDATE relayers SET created_at = '2100-01-01 00:00:00.000' WHERE id LIKE '%-notified'";
const LAST_BEFORE = { time: Date.parse('2099-12-31T00:00:00Z'), id: 'x' };
/** A check of such a row is never due, and only counts and index scans read it. */
const COLUMNS =
  'id, name, network, network_type, address, chain_id, signer_id, paused, system_disabled, policies, next_check_at, failed_checks, created_at';
const VALUES = `id, id, '${NETWORK.name}', 'evm', id, '${NETWORK.chain_id}', id, 0, 0, '{}', '2100-01-01 00:00:00.000', 0`;

/** Adds rows to a service's database. */
interface Filler {
  run(statement: string): Promise<void>;
  upTo(total: number): Promise<void>;
  close(): Promise<void>;
}

interface Cost {
  ms: Summary;
  cpuMs: number;
  requests: number;
}

/** @param size the number of rows in the longest list, on MariaDB; SQLite has at most 200 000 */
export async function lists({ size }: { size: number }): Promise<void> {
  console.log(Object.values(machine()).join(', '));
  const server = await PrivateMariaDb.create();
  const rows: ({ database: string; relayers: number; page: string } & Cost)[] = [];
  try {
    for (const database of ['MySQL', 'SQLite']) {
      const url = database === 'MySQL' ? await createDatabase(server) : undefined;
      const service = await BenchedService.create({ settings: { RELAYER_CHECK_INTERVAL_SECONDS: '0' } }, url);
      const fill = url ? await mysqlFiller(url) : sqliteFiller(service);
      try {
        await fill.run(LAST);
        for (const total of [service.relayerIds.length * 2, ...SIZES].filter((wanted) => wanted <= size)) {
          if (total > SIZES[0]! && !url) continue;
          await fill.upTo(total);
          for (const [page, query] of queries(total))
            rows.push({ database, relayers: total, page, ...(await measure(service, query)) });
        }
      } finally {
        await fill.close();
        await service.destroy();
      }
    }
  } finally {
    await server.destroy();
  }
  printTable(
    rows.map(({ database, relayers, page, ms, cpuMs, requests }) => ({
      list: `${database}, ${relayers} relayers, ${page}`,
      'ms best': ms.best.toFixed(1),
      'ms median': ms.median.toFixed(1),
      'CPU ms of the service': cpuMs.toFixed(1),
      requests,
    })),
  );
  writeJson('lists', { rows });
}

function queries(total: number): [page: string, query: string][] {
  const cursor = Buffer.from(`${LAST_BEFORE.time}:${LAST_BEFORE.id}`).toString('base64url');
  return [
    ['first page', `page=1`],
    ['last page', `page=${total / PER_PAGE}`],
    ['first page by cursor', 'cursor='],
    ['last page by cursor', `cursor=${cursor}`],
  ];
}

/** Sends one request after the other. */
async function measure(service: BenchedService, query: string): Promise<Cost> {
  const url = `${service.url}/api/v1/relayers?per_page=${PER_PAGE}&${query}`;
  const times: number[] = [];
  const get = async (): Promise<number> => {
    const begin = performance.now();
    const response = await fetch(url, { headers: service.headers });
    const { data } = (await response.json()) as { data?: unknown[] };
    if (data?.length !== PER_PAGE) throw new Error(`${query}: ${response.status}, ${data?.length} relayers`);
    return performance.now() - begin;
  };
  await get();
  const cpu = cpuSeconds(service.pid);
  const end = performance.now() + ENOUGH_MS;
  while (times.length < LEAST_REQUESTS || (performance.now() < end && times.length < MOST_REQUESTS))
    times.push(await get());
  return {
    ms: summary(times, Math.min),
    cpuMs: ((cpuSeconds(service.pid) - cpu) / times.length) * 1000,
    requests: times.length,
  };
}

async function mysqlFiller(url: string): Promise<Filler> {
  const connection = await createConnection(url);
  const run = async (statement: string): Promise<void> => {
    await connection.query(statement);
  };
  await run('SET foreign_key_checks = 0, unique_checks = 0');
  await run('SET GLOBAL innodb_buffer_pool_size = 2147483648, GLOBAL innodb_flush_log_at_trx_commit = 0');
  return {
    run,
    upTo: async (total) => {
      const [rows] = await connection.query<RowDataPacket[]>('SELECT COUNT(*) AS count FROM relayers');
      const count = Number(rows[0]?.count);
      for (let first = count; first < total; first += ROWS_PER_STATEMENT) {
        const last = Math.min(first + ROWS_PER_STATEMENT, total) - 1;
        await run(
          `INSERT INTO relayers (${COLUMNS}) SELECT ${VALUES}, TIMESTAMPADD(MICROSECOND, seq * 1000, '2090-01-01')
           FROM (SELECT seq, CONCAT('row-', LPAD(seq, 9, '0')) AS id FROM (${numberRows(first, last)}) AS series) AS s`,
        );
      }
      await run('ANALYZE TABLE relayers');
    },
    close: () => connection.end(),
  };
}

function sqliteFiller(service: BenchedService): Filler {
  const database = new Database(join(service.folder, 'relayer.sqlite'));
  database.pragma('busy_timeout = 60000');
  database.pragma('foreign_keys = OFF');
  const run = (statement: string): Promise<void> => {
    database.prepare(statement).run();
    return Promise.resolve();
  };
  return {
    run,
    upTo: (total) => {
      const { count } = database.prepare('SELECT COUNT(*) AS count FROM relayers').get() as { count: number };
      return run(
        `WITH RECURSIVE s(seq) AS (SELECT ${count} UNION ALL SELECT seq + 1 FROM s WHERE seq + 1 < ${total})
         INSERT INTO relayers (${COLUMNS})
         SELECT ${VALUES}, strftime('%Y-%m-%d %H:%M:%f', '2090-01-01', (seq / 1000.0) || ' seconds')
         FROM (SELECT seq, printf('row-%09d', seq) AS id FROM s WHERE seq < ${total})`,
      );
    },
    close: () => {
      database.close();
      return Promise.resolve();
    },
  };
}
