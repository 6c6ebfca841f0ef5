/**
 * Examines how MariaDB executes the service's statements when its tables are full: none of the most frequent ones may
 * read a whole table.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { PrivateMariaDb } from '../test/support/private-servers';
import { createDatabase } from './database';
import { fillTables } from './plans/full-tables';
import { isScan, planOf, type PlanStep, type SeenStatement, statementsDuring } from './plans/seen-statements';
import { machine, printTable, writeJson } from './report';
import { BenchedService } from './service';

const HOTTEST = 10;
/** Background work searches for due rows every second, and purges less often. */
const BACKGROUND_MS = 5_000;
const REPETITIONS = 20;
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };

type Request = [method: string, path: string, body?: object];

/** Requests that applications make all the time, more often than people and dashboards make others. */
const OFTEN: Request[] = [
  ['POST', '/api/v1/relayers/bench-1/sign-typed-data', HASHES],
  ['POST', '/api/v1/relayers/bench-2-notified/sign-typed-data', HASHES],
  ['GET', '/api/v1/relayers/bench-1'],
];
const SELDOM: Request[] = [
  ['PATCH', '/api/v1/relayers/bench-1', { name: 'Changed' }],
  ['GET', '/api/v1/relayers?cursor=&per_page=0'],
  ['GET', '/api/v1/notifications/bench/deliveries?per_page=10'],
  ['GET', '/api/v1/audit-events?cursor=&per_page=10'],
  ['GET', '/api/v1/audit-events?cursor=&per_page=10&relayer_id=bench-0'],
  ['GET', '/api/v1/relayers/bench-1/transactions?cursor=&per_page=10'],
];

/** @param size the number of rows in all tables together */
export async function plans({ size }: { size: number }): Promise<void> {
  console.log(Object.values(machine()).join(', '));
  const server = await PrivateMariaDb.create();
  try {
    const url = await createDatabase(server);
    const service = await BenchedService.create({}, url);
    const connection = await createConnection(url);
    try {
      const filled = await fillTables(connection, size);
      console.log(`Rows: ${JSON.stringify(filled)}`);
      const seen = await statementsDuring(connection, () => work(service));
      // A scan of a table as small as this would not be noticed.
      const least = Math.max(1_000, Math.min(...Object.values(filled)) / 2);
      const planned = [];
      for (const statement of seen)
        planned.push({ ...statement, steps: await planOf(connection, statement) });
      report(planned, least);
      writeJson('plans', { size, filled, statements: planned });
      const scans = planned
        .slice(0, HOTTEST)
        .filter(({ steps }) => steps.some((step) => isScan(step, least)));
      if (scans.length > 0)
        throw new Error(`Of the ${HOTTEST} hottest statements ${scans.length} read a whole table or index`);
    } finally {
      await connection.end();
      await service.destroy();
    }
  } finally {
    await server.destroy();
  }
}

async function work(service: BenchedService): Promise<void> {
  const send = async ([method, path, body]: Request): Promise<void> => {
    const response = await fetch(service.url + path, {
      method,
      headers: service.headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  for (let i = 0; i < REPETITIONS; i += 1) for (const request of OFTEN) await send(request);
  for (const request of SELDOM) await send(request);
  await sleep(BACKGROUND_MS);
}

function report(planned: (SeenStatement & { steps: PlanStep[] })[], least: number): void {
  const rowsOf = (statements: typeof planned) =>
    statements.flatMap(({ form, count, steps }) =>
      steps.map(({ table, type, key, rows, extra }, index) => ({
        statement: index === 0 ? shortened(form) : '',
        times: index === 0 ? count : '',
        table: table ?? '–',
        access: type ?? '–',
        index: key ?? '–',
        rows: type === null ? shortened(extra, 40) : rows,
      })),
    );
  console.log(`\nThe ${HOTTEST} hottest of ${planned.length} statements:`);
  printTable(rowsOf(planned.slice(0, HOTTEST)));
  const others = planned.slice(HOTTEST).filter(({ steps }) => steps.some((step) => isScan(step, least)));
  if (others.length === 0) console.log('\nNo other statement reads a whole table or index.');
  else {
    console.log('\nOther statements that read a whole table or index:');
    printTable(rowsOf(others));
  }
}

const shortened = (text: string, length = 110): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;
