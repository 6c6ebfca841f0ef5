import { setTimeout as sleep } from 'node:timers/promises';
import { executionsOf, totalOf } from '../contracts/deployment';
import type { TestChain } from '../test-chain';
import {
  type Client,
  isFinal,
  nextNonceOf,
  type SendingRelayer,
  type ShownTransaction,
  shownTransaction,
} from '../transactions';
import type { Requests } from './requests';

const FINAL_MS = 240_000;
const PAUSE_MS = 100;

/** What was found when all was over. */
export interface Outcome {
  requests: number;
  /** Transactions by status, as the service shows them. */
  statuses: Record<string, number>;
  /** What no block executes. */
  missing: number[];
  /** What blocks execute more than once. */
  repeated: number[];
  /** Executions that the contract has counted. */
  total: number;
  /** Transactions whose hash is not that of their execution. */
  otherHashes: number[];
  /** Requests whose repetition does not return the first record. */
  otherReplays: number[];
  /** Nonces below that of the chain which no request has. */
  gaps: number[];
  /** Of the account: in blocks, the chain's next nonce, the ledger's next nonce. */
  mined: number;
  chainNonce: number;
  ledgerNonce: number;
}

/** Waits until each transaction is final, or long enough, and compares the service with the chain. */
export async function outcomeOf(
  client: Client,
  chain: TestChain,
  relayer: SendingRelayer,
  counter: string,
  requests: Requests,
): Promise<Outcome> {
  const shown = await finalTransactions(client, relayer, requests);
  const executions = await executionsOf(chain.node, counter);
  const times = (number: number): number => executions.filter(({ id }) => id === number).length;
  const numbers = [...shown.keys()];
  const chainNonce = await chain.node.nonce(relayer.address);
  const nonces = new Set([...shown.values()].map(({ nonce }) => nonce));
  return {
    requests: shown.size,
    statuses: countedBy([...shown.values()].map(({ status }) => status)),
    missing: numbers.filter((number) => times(number) === 0),
    repeated: numbers.filter((number) => times(number) > 1),
    total: await totalOf(chain.node, counter),
    otherHashes: executions
      .filter(({ id, transactionHash }) => shown.get(id)?.hash !== transactionHash)
      .map(({ id }) => id),
    otherReplays: await requests.replayed(),
    gaps: Array.from({ length: chainNonce }, (_, nonce) => nonce).filter((nonce) => !nonces.has(nonce)),
    mined: await minedOf(chain, relayer.address),
    chainNonce,
    ledgerNonce: await nextNonceOf(client, relayer),
  };
}

/** As they are in the end, also those that did not become final in time. */
async function finalTransactions(
  client: Client,
  relayer: SendingRelayer,
  requests: Requests,
): Promise<Map<number, ShownTransaction>> {
  const end = Date.now() + FINAL_MS;
  const shown = new Map<number, ShownTransaction>();
  for (const [number, id] of requests.accepted) {
    let transaction = await shownTransaction(client, relayer, id);
    while (!isFinal(transaction) && Date.now() < end) {
      await sleep(PAUSE_MS);
      transaction = await shownTransaction(client, relayer, id);
    }
    shown.set(number, transaction);
  }
  return shown;
}

/** The transactions of an account in all blocks. */
async function minedOf({ node }: TestChain, address: string): Promise<number> {
  let mined = 0;
  for (let number = await node.blockNumber(); number >= 0; number -= 1) {
    const block = await node.rpc<{ transactions: { from: string }[] }>('eth_getBlockByNumber', [
      `0x${number.toString(16)}`,
      true,
    ]);
    mined += block.transactions.filter(({ from }) => from === address.toLowerCase()).length;
  }
  return mined;
}

function countedBy(texts: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}
