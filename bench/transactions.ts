/**
 * Measures the cost of sending: transactions of one relayer and of ten, on SQLite and MariaDB, on a chain that mines
 * immediately and on one that mines every second. See README.md.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Anvil } from '../test/support/anvil';
import { PrivateMariaDb } from '../test/support/private-servers';
import { WITH_TYPESCRIPT } from '../test/support/run-typescript';
import { addSendingRelayer, type Client, type SendingRelayer } from '../test/support/transactions';
import { type ObservedDatabase, ServerDatabase, SqliteFile } from './deliveries/database';
import { Fleet } from './deliveries/fleet';
import { cpuSeconds, start } from './process';
import { machine, printTable, type Row, writeJson } from './report';
import { fillTransactions } from './transactions/filler';

const RECEIVER = '0x3535353535353535353535353535353535353535';
const BODY = { to: RECEIVER, value: '1', speed: 'fast', gas_limit: 21_000 };
/** The number of requests in progress. */
const PARALLEL = 16;
/** Transactions before the measurement, during which Node compiles the code that runs often. */
const WARM_UP = 2000;
const FINISHED_MS = 60_000;
const CHAIN_ID = 424_242;
const GAS_LIMIT = 300_000_000;

interface Case {
  databaseName: 'SQLite' | 'MariaDB';
  relayers: number;
  /** The block time in seconds; 0 for one block per transaction. */
  blocks: number;
  transactions: number;
  /** The number of final records in the tables before the run. */
  records: number;
}

/** @param records the number of final records in an additional run that shows their cost; 0 for none */
export async function transactions({ smoke = false, only = '', records = 0 } = {}): Promise<void> {
  console.log(Object.values(machine()).join(', '));
  const server = await PrivateMariaDb.create();
  const rows: Row[] = [];
  try {
    for (const one of cases(smoke, records)) {
      if (!titleOf(one).includes(only)) continue;
      const database =
        one.databaseName === 'SQLite' ? SqliteFile.create() : await ServerDatabase.create(server.url);
      try {
        rows.push(await measure(one, database));
        printTable(rows.slice(-1));
      } finally {
        await database.drop();
      }
    }
    printTable(rows);
    writeJson('transactions', { machine: machine(), rows });
  } finally {
    await server.destroy();
  }
}

function cases(smoke: boolean, records: number): Case[] {
  const transactions = smoke ? 100 : 6000;
  const databases = ['SQLite', 'MariaDB'] as const;
  const all = databases.flatMap((databaseName) =>
    [0, 1].flatMap((blocks) =>
      [1, 10].map((relayers) => ({ databaseName, relayers, blocks, transactions, records: 0 })),
    ),
  );
  const filled = databases.map((databaseName) => ({
    ...{ databaseName, relayers: 1, blocks: 0, transactions, records },
  }));
  return smoke
    ? all.filter(({ blocks, relayers }) => blocks === 0 && relayers === 1)
    : [...all, ...(records > 0 ? filled : [])];
}

const titleOf = ({ databaseName, relayers, blocks, records }: Case): string =>
  `${databaseName}, ${relayers} relayer${relayers === 1 ? '' : 's'}, ${blocks === 0 ? 'instant blocks' : `blocks of ${blocks} s`}` +
  (records > 0 ? `, ${records} records` : '');

async function measure(one: Case, database: ObservedDatabase): Promise<Row> {
  const node = one.blocks === 0 ? await startInstantNode() : await startAnvil(one.blocks);
  try {
    return await measureWith(node, one, database);
  } finally {
    await node.stop();
  }
}

async function measureWith(
  node: Awaited<ReturnType<typeof startAnvil>>,
  one: Case,
  database: ObservedDatabase,
): Promise<Row> {
  const fleet = await Fleet.create({
    database: database.url,
    env: { TRANSACTION_MAX_IN_FLIGHT: '2000' },
  });
  try {
    const client: Client = { call: (call) => fleet.exchange(0, call) };
    const relayers: SendingRelayer[] = [];
    for (let i = 0; i < one.relayers; i += 1)
      relayers.push(
        await addSendingRelayer(
          client,
          { node, urls: node.urls },
          {
            network: { chain_id: CHAIN_ID, required_confirmations: 0, average_blocktime_ms: 1000 },
            ...(relayers[0] && { existingNetwork: relayers[0].network }),
          },
        ),
      );
    const warmUp = Math.min(WARM_UP, one.transactions / 2);
    await load(fleet, relayers, warmUp);
    await finished(database, warmUp);
    if (one.records > 0) await fillTransactions(database, relayers[0]!, one.records);
    return await run(one, fleet, relayers, database);
  } finally {
    await fleet.destroy();
  }
}

async function startAnvil(blockTime: number) {
  const node = await Anvil.create({ chainId: CHAIN_ID, gasLimit: GAS_LIMIT, blockTime });
  return {
    chainId: CHAIN_ID,
    urls: [node.url],
    setBalance: (address: string, wei: bigint) => node.setBalance(address, wei),
    stop: () => node.stop(),
  };
}

async function startInstantNode() {
  const program = join(__dirname, 'transactions/instant-node.ts');
  const node = start([...WITH_TYPESCRIPT, program], { CHAIN_ID: String(CHAIN_ID) }, 'inherit');
  const [url] = (await once(node.child, 'message')) as [string];
  return { chainId: CHAIN_ID, urls: [url], setBalance: () => Promise.resolve(), stop: () => node.stop() };
}

async function run(
  one: Case,
  fleet: Fleet,
  relayers: readonly SendingRelayer[],
  database: ObservedDatabase,
): Promise<Row> {
  const { pid } = fleet.processOf(0);
  const since = new Date();
  await sleep(5);
  const statements = await statementsOf(database);
  const cpu = cpuSeconds(pid);
  const startedAt = performance.now();
  const latencies = await load(fleet, relayers, one.transactions);
  const acceptedAt = performance.now();
  const acceptedCpu = cpuSeconds(pid);
  await finished(database, one.transactions, since);
  const used = cpuSeconds(pid) - cpu;
  const counted = (await statementsOf(database)) - statements;
  const times = await timesOf(database, since);
  const seconds = (from: number, to: number): number => (to - from) / 1000;
  const minedSeconds = (Math.max(...times.mined) - since.getTime()) / 1000;
  return {
    case: titleOf(one),
    'accepted/s': (one.transactions / seconds(startedAt, acceptedAt)).toFixed(0),
    'accepted per CPU s': (one.transactions / (acceptedCpu - cpu)).toFixed(0),
    'mined/s': (one.transactions / minedSeconds).toFixed(0),
    'CPU ms each': ((1000 * used) / one.transactions).toFixed(2),
    'POST ms': percentiles(latencies),
    'to broadcast ms': percentiles(times.broadcastAfter),
    'to mined ms': percentiles(times.minedAfter),
    'statements each': Number.isNaN(counted) ? '–' : (counted / one.transactions).toFixed(1),
  };
}

/**
 * Sends requests for the relayers in turn, with a fixed number in progress. @returns the duration of each in
 * milliseconds
 */
async function load(fleet: Fleet, relayers: readonly SendingRelayer[], count: number): Promise<number[]> {
  const latencies: number[] = [];
  let left = count;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const relayer = relayers[left % relayers.length]!;
      const startedAt = performance.now();
      const status = await fleet.call(0, 'POST', `${relayer.path}/transactions`, BODY);
      if (status !== 201) throw new Error(`POST responded with ${status}`);
      latencies.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return latencies;
}

async function finished(database: ObservedDatabase, count: number, since = new Date(0)): Promise<void> {
  const end = performance.now() + FINISHED_MS;
  for (;;) {
    const [row] = await database.query<{ done: number | string }>(
      `SELECT COUNT(*) AS done FROM transactions WHERE status = 'confirmed' AND finished_at >= '${sqlTime(since)}'`,
    );
    if (Number(row?.done) >= count) return;
    if (performance.now() > end) throw new Error(`Only ${row?.done} of ${count} are confirmed`);
    await sleep(500);
  }
}

async function timesOf(
  database: ObservedDatabase,
  since: Date,
): Promise<{ broadcastAfter: number[]; minedAfter: number[]; mined: number[] }> {
  const rows = await database.query<Record<'created_at' | 'sent_at' | 'mined_at', string | Date>>(
    `SELECT created_at, sent_at, mined_at FROM transactions WHERE created_at >= '${sqlTime(since)}'`,
  );
  const at = (value: string | Date): number =>
    typeof value === 'string' ? Date.parse(`${value.replace(' ', 'T')}Z`) : value.getTime();
  return {
    broadcastAfter: rows.map((row) => at(row.sent_at) - at(row.created_at)),
    minedAfter: rows.map((row) => at(row.mined_at) - at(row.created_at)),
    mined: rows.map((row) => at(row.mined_at)),
  };
}

/** The number of statements that the server has run for clients; SQLite does not count them. */
async function statementsOf(database: ObservedDatabase): Promise<number> {
  if (database instanceof SqliteFile) return NaN;
  const [row] = await database.query<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Questions'");
  return Number(row?.Value);
}

const sqlTime = (time: Date): string => time.toISOString().replace('T', ' ').slice(0, -1);

function percentiles(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(0);
  return `${at(0.5)} / ${at(0.99)}`;
}
