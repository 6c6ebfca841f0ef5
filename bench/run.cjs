/**
 * npm run bench -- [--smoke | --soak | --failover | --checks | --hostile | --macs | --against FOLDER] [--rounds N] [--seconds N] [--only TEXT] [--profile]
 *
 * Measures the built service beside a bare server; see README.md.
 */
const { parseArgs } = require('node:util');
const { PrivateMariaDb } = require('../test/support/private-servers.cjs');
const { against } = require('./against.cjs');
const { createBareServer } = require('./bare.cjs');
const { compare } = require('./compare.cjs');
const { createDatabase } = require('./database.cjs');
const { hostile } = require('./hostile.cjs');
const { hostileConnections } = require('./hostile/connections.cjs');
const { hostileNodes } = require('./hostile-nodes.cjs');
const { relayerChecks } = require('./relayer-checks.cjs');
const { rowMacs } = require('./row-macs.cjs');
const { rpcFailOver } = require('./rpc-failover.cjs');
const { BenchedService } = require('./service.cjs');
const { soak } = require('./soak.cjs');
const { HASHES_SUBJECT } = require('./subjects.cjs');

const { values: options } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
    failover: { type: 'boolean', default: false },
    checks: { type: 'boolean', default: false },
    hostile: { type: 'boolean', default: false },
    against: { type: 'string' },
    macs: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    profile: { type: 'boolean', default: false },
  },
});

async function main() {
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
  if (options.macs) return rowMacs({ rounds: Number(options.rounds) });
  if (options.smoke) {
    await rpcFailOver({ calls: 100, only: 'answers 50' });
    await hostileNodes({ smoke: true });
    await hostile({ rounds: 1 });
    await hostileConnections({ seconds: 2, smoke: true });
  }
  const started = [];
  const opened = async (opening) => {
    const server = await opening;
    started.push(server);
    return server;
  };
  try {
    const database = await opened(PrivateMariaDb.create());
    if (options.against) {
      await against(database, options.against, extentOf(options));
      return;
    }
    const mysql = await opened(BenchedService.create(options, await createDatabase(database)));
    if (options.soak) {
      await soak(mysql);
      return;
    }
    const sqlite = await opened(BenchedService.create(options));
    const [request] = HASHES_SUBJECT.requests(mysql);
    const bare = await opened(createBareServer(mysql, request));
    await compare({ mysql, sqlite, bare }, extentOf(options));
  } finally {
    for (const server of started.reverse()) await server.destroy();
  }
}

function extentOf({ smoke, rounds, seconds, only }) {
  return smoke
    ? { rounds: 1, seconds: 1, warmUpSeconds: 0, only }
    : { rounds: Number(rounds), seconds: Number(seconds), warmUpSeconds: 3, only };
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
