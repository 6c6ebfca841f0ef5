/** Counts calls to nodes while ten thousand transactions of a hundred relayers on ten networks are waiting. */
import { setTimeout as sleep } from 'node:timers/promises';
import { addSendingRelayer, type Client, type SendingRelayer } from '../../test/support/transactions';
import { SqliteFile } from '../deliveries/database';
import { Fleet } from '../deliveries/fleet';
import { cpuSeconds } from '../process';
import { machine, printTable, type Row, writeJson } from '../report';
import { IdleNode } from './idle-node';

const BODY = {
  ...{ to: '0x3535353535353535353535353535353535353535', value: '1', speed: 'fast', gas_limit: 21_000 },
};
const PER_BATCH = 100;
const BLOCK_MS = 2000;
const BLOCKS = 30;

export async function openTransactions({ smoke = false } = {}): Promise<void> {
  console.log(Object.values(machine()).join(', '));
  const [networks, perNetwork, blocks] = smoke ? [2, 2, 3] : [10, 10, BLOCKS];
  const database = SqliteFile.create();
  const nodes = await Promise.all(
    Array.from({ length: networks }, (_, i) => IdleNode.start(900_000 + i, BLOCK_MS)),
  );
  const fleet = await Fleet.create({ database: database.url });
  try {
    const client: Client = { call: (call) => fleet.exchange(0, call) };
    const relayers: SendingRelayer[] = [];
    for (const node of nodes)
      for (let i = 0; i < perNetwork; i += 1) relayers.push(await addRelayer(client, node));
    for (const { path } of relayers) {
      const body = { transactions: Array<object>(PER_BATCH).fill(BODY) };
      const status = await fleet.call(0, 'POST', `${path}/transactions/batch`, body);
      if (status !== 201) throw new Error(`POST responded with ${status}`);
    }
    await sleep(smoke ? 3000 : 20_000);
    const { pid } = fleet.processOf(0);
    const cpu = cpuSeconds(pid);
    for (const node of nodes) node.clear();
    await sleep(blocks * BLOCK_MS);
    const rows = nodes.map((node, i) => rowOf(i, node, blocks));
    printTable(rows);
    const used = ((100 * (cpuSeconds(pid) - cpu)) / ((blocks * BLOCK_MS) / 1000)).toFixed(0);
    console.log(`${relayers.length * PER_BATCH} open transactions, ${used} % of a core`);
    writeJson('open-transactions', { machine: machine(), rows });
  } finally {
    await fleet.destroy();
    await Promise.all(nodes.map((node) => node.stop()));
    await database.drop();
  }
}

const addRelayer = (client: Client, node: IdleNode): Promise<SendingRelayer> =>
  addSendingRelayer(
    client,
    { node: { chainId: node.chainId, setBalance: () => Promise.resolve() }, urls: [node.url] },
    { network: { average_blocktime_ms: BLOCK_MS, required_confirmations: 6 } },
  );

function rowOf(index: number, { calls, requests }: IdleNode, blocks: number): Row {
  const perBlock = (count: number): string => (count / blocks).toFixed(1);
  const total = [...calls.values()].reduce((sum, count) => sum + count, 0);
  return {
    network: `${index}`,
    'requests per block': perBlock(requests),
    'calls per block': perBlock(total),
    nonces: perBlock(calls.get('eth_getTransactionCount') ?? 0),
    heads: perBlock(calls.get('eth_getBlockByNumber') ?? 0),
    'fee histories': perBlock(calls.get('eth_feeHistory') ?? 0),
    receipts: perBlock(calls.get('eth_getTransactionReceipt') ?? 0),
    sends: perBlock(calls.get('eth_sendRawTransaction') ?? 0),
  };
}
