/**
 * Kills and suspends the service while it sends transactions through a node that fails, and compares what it shows with
 * the chain.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObservedDatabase } from '../../../bench/deliveries/database';
import { Fleet } from '../../../bench/deliveries/fleet';
import { COUNTER } from '../contracts/contracts';
import { deploy } from '../contracts/deployment';
import { SeededRandom } from '../seeded-random';
import { TestChain } from '../test-chain';
import { addSendingRelayer, type Client } from '../transactions';
import { type Outcome, outcomeOf } from './outcome';
import { Requests } from './requests';
import { trouble } from './trouble';

const BLOCK_SECONDS = 0.5;
/** Reorgs replace fewer blocks than are needed to make a transaction final. */
const CONFIRMATIONS = 3;
const PARTS = 1_000_000;
/** Longer than the lease of an account, so that others take over the work of an instance that hangs. */
const HANG_MS = 9000;
/** The maximum time from the start of an instance, or of all instances, to the next kill. */
const LIFE_MS = 3000;
/** How long the node continues to fail after the last kill. */
const TROUBLE_AFTERWARDS_MS = 5000;

export interface Extent {
  database: ObservedDatabase;
  instances: number;
  transactions: number;
  kills: number;
  /** The number of kills after which an instance hangs while more requests are sent. */
  hangs: number;
  reorgs: number;
  /**
   * Determines what fails and when. The speed of processes varies, so equal seeds cause similar runs, but not equal
   * ones.
   */
  seed: string;
}

/** Calls to the node, by method and per block, and the faults that applied to them. */
export interface Traffic {
  blocks: number;
  perBlock: Record<string, number>;
  faults: Record<string, number>;
}

/** Requests transactions while instances are killed or hang. Then everything works again, until all are final. */
export async function endure(extent: Extent): Promise<Outcome & { traffic: Traffic }> {
  const { database, instances, seed } = extent;
  const random = new SeededRandom(seed);
  const chain = await TestChain.start({ blockTime: BLOCK_SECONDS, proxies: 2, seed });
  let fleet: Fleet | undefined;
  try {
    const counter = await deploy(chain.node, COUNTER);
    fleet = await Fleet.create({
      instances,
      database: database.url,
      env: { TRANSACTION_REBROADCAST_SECONDS: '1', TRANSACTION_BUMP_SECONDS: '2' },
    });
    const clients = clientsOf(fleet);
    const relayer = await addSendingRelayer(clients[0]!, chain, {
      network: { required_confirmations: CONFIRMATIONS, average_blocktime_ms: 1000 * BLOCK_SECONDS },
    });
    const requests = new Requests(clients, relayer, counter, random);
    const firstBlock = await chain.node.blockNumber();
    for (const proxy of chain.proxies) trouble(proxy);
    await makeAndKill(fleet, chain, requests, extent, random);
    for (const proxy of chain.proxies) proxy.clear();
    const outcome = await outcomeOf(clients.at(-1)!, chain, relayer, counter, requests);
    return { ...outcome, traffic: trafficOf(chain, (await chain.node.blockNumber()) - firstBlock) };
  } finally {
    await fleet?.destroy();
    await chain.stop();
  }
}

const clientsOf = (fleet: Fleet): Client[] =>
  fleet.instances.map((_, index) => ({ call: (call) => fleet.exchange(index, call) }));

/**
 * Each kill occurs while a share of the requests is being created or sent, and one more when the last of them is
 * accepted.
 */
async function makeAndKill(
  fleet: Fleet,
  chain: TestChain,
  requests: Requests,
  { transactions, kills, hangs, reorgs }: Extent,
  random: SeededRandom,
): Promise<void> {
  const share = (): number => random.below(PARTS) / PARTS;
  const kill = async (): Promise<void> => {
    await sleep(share() * LIFE_MS);
    await fleet.killAndStart(random.below(fleet.instances.length), share);
  };
  const hang = async (): Promise<void> => {
    await sleep(share() * LIFE_MS);
    await fleet.hang(random.below(fleet.instances.length), HANG_MS);
  };
  for (let round = 0; round < kills; round += 1) {
    const made = requests.make(Math.ceil(((round + 1) * transactions) / kills));
    const killed = isTurn(round, kills, hangs) ? hang().then(kill) : kill();
    // Nothing is stopped while a process is starting.
    await Promise.allSettled([made, killed]);
    await made;
    await killed;
    if (isTurn(round, kills, reorgs)) await chain.node.reorg(1 + random.below(CONFIRMATIONS - 1));
  }
  await kill();
  await sleep(TROUBLE_AFTERWARDS_MS);
}

/** True this many times, evenly distributed over the rounds. */
const isTurn = (round: number, rounds: number, times: number): boolean =>
  Math.floor(((round + 1) * times) / rounds) > Math.floor((round * times) / rounds);

function trafficOf(chain: TestChain, blocks: number): Traffic {
  const sum = (counts: Record<string, number>[]): Record<string, number> => {
    const total: Record<string, number> = {};
    for (const [name, count] of counts.flatMap((each) => Object.entries(each)))
      total[name] = Math.round(100 * ((total[name] ?? 0) + count)) / 100;
    return total;
  };
  return {
    blocks,
    perBlock: sum(chain.proxies.map(({ record }) => record.perBlock(blocks))),
    faults: sum(chain.proxies.map(({ record }) => record.faults())),
  };
}
