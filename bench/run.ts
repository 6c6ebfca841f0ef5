/**
 * npm run bench -- [--smoke | --soak | --failover | --checks | --hostile | --macs | --reads | --lists [--size N] | --plans [--size N] | --transactions [--size N] | --open | --key-timing | --audit | --tracing | --against FOLDER [--without-audit]] [--rounds N] [--seconds N] [--connections N] [--only TEXT] [--profile]
 *
 * Measures the built service beside a bare server; see README.md.
 */
import { parseArgs } from 'node:util';
import { PrivateMariaDb } from '../test/support/private-servers';
import { against } from './against';
import { audit } from './audit';
import { createBareServer } from './bare';
import { compare } from './compare';
import { createDatabase } from './database';
import { hostile } from './hostile/requests';
import { hostileConnections } from './hostile/connections';
import { hostileNodes } from './hostile/nodes';
import { keyTiming } from './key-timing';
import { lists } from './lists';
import { LOAD } from './load';
import { plans } from './plans';
import { reads } from './reads';
import { relayerChecks } from './relayer-checks';
import { rowMacs } from './row-macs';
import { rpcFailOver } from './rpc-failover';
import type { Extent } from './rounds';
import { BenchedService } from './service';
import { soak } from './soak';
import { HASHES_SUBJECT } from './subjects';
import { tracing } from './tracing';
import { transactions } from './transactions';
import { openTransactions } from './transactions/open';

const { values: options } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
    failover: { type: 'boolean', default: false },
    checks: { type: 'boolean', default: false },
    hostile: { type: 'boolean', default: false },
    against: { type: 'string' },
    'without-audit': { type: 'boolean', default: false },
    audit: { type: 'boolean', default: false },
    tracing: { type: 'boolean', default: false },
    macs: { type: 'boolean', default: false },
    reads: { type: 'boolean', default: false },
    lists: { type: 'boolean', default: false },
    plans: { type: 'boolean', default: false },
    transactions: { type: 'boolean', default: false },
    open: { type: 'boolean', default: false },
    'key-timing': { type: 'boolean', default: false },
    size: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string', default: '' },
    profile: { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  LOAD.connections = Number(options.connections);
  if (options.failover) return rpcFailOver({ only: options.only });
  if (options.checks) return relayerChecks({ smoke: options.smoke, starts: Number(options.rounds) });
  if (options.hostile) {
    const { smoke, only } = options;
    if (only === '') {
      await hostileNodes({ smoke });
      if (!smoke) await hostile({ rounds: Number(options.rounds) });
    }
    return hostileConnections({ seconds: smoke ? 2 : 10, smoke, only });
  }
  if (options.open) return openTransactions({ smoke: options.smoke });
  if (options.transactions)
    return transactions({ smoke: options.smoke, only: options.only, records: Number(options.size) });
  if (options['key-timing']) return keyTiming({ samples: options.smoke ? 200 : 20_000 });
  if (options.plans) return plans({ size: options.smoke ? 20_000 : Number(options.size) });
  if (options.lists) return lists({ size: Number(options.size) });
  if (options.macs) {
    await rowMacs({ rounds: Number(options.rounds) });
    return;
  }
  if (options.smoke) {
    await rpcFailOver({ calls: 100, only: 'responds with 50' });
    await hostileNodes({ smoke: true });
    await hostile({ rounds: 1 });
    await hostileConnections({ seconds: 2, smoke: true });
    await transactions({ smoke: true });
    await openTransactions({ smoke: true });
    await keyTiming({ samples: 200 });
    await plans({ size: 20_000 });
  }
  const started: { destroy: () => Promise<void> }[] = [];
  const opened = async <T extends { destroy: () => Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const server = await opening;
    started.push(server);
    return server;
  };
  try {
    const database = await opened(PrivateMariaDb.create());
    if (options.audit) {
      await audit(database, extentOf(options));
      return;
    }
    if (options.tracing) {
      await tracing(database, extentOf(options));
      return;
    }
    if (options.against) {
      const withoutAudit = options['without-audit'];
      await against(database, options.against, extentOf(options), { withoutAudit });
      return;
    }
    const mysql = await opened(BenchedService.create(options, await createDatabase(database)));
    if (options.soak) {
      await soak(mysql);
      return;
    }
    const sqlite = await opened(BenchedService.create(options));
    if (options.reads) {
      await reads({ MySQL: mysql, SQLite: sqlite }, extentOf(options));
      return;
    }
    const request = HASHES_SUBJECT.requests(mysql)[0]!;
    const bare = await opened(createBareServer(mysql, request));
    await compare({ mysql, sqlite, bare }, extentOf(options));
  } finally {
    for (const server of started.reverse()) await server.destroy();
  }
}

function extentOf({ smoke, rounds, seconds, only }: typeof options): Extent {
  return smoke
    ? { rounds: 1, seconds: 1, warmUpSeconds: 0, only }
    : { rounds: Number(rounds), seconds: Number(seconds), warmUpSeconds: 3, only };
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
