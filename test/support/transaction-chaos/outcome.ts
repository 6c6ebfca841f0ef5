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

/** The result when everything is over. */
export interface Outcome {
  requests: number;
  /** The number of transactions by status, as the service shows them. */
  statuses: Record<string, number>;
  /** Requests that no block executes. */
  missing: number[];
  /** Requests that blocks execute more than once. */
  repeated: number[];
  /** The number of executions that the contract has counted. */
  total: number;
  /** Transactions whose hash differs from that of their execution. */
  otherHashes: number[];
  /** Requests whose repetition does not return the first record. */
  otherReplays: number[];
  /** Nonces below that on the chain which belong to no request. */
  gaps: number[];
  /** For the account: transactions in blocks, next nonce on the chain, next nonce in the ledger. */
  mined: number;
  chainNonce: number;
  ledgerNonce: number;
}

/** Waits until each transaction is final, up to a limit, and compares the service with the chain. */
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

/** The final state of the transactions, including those that did not become final in time. */
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

/** The number of an account's transactions in all blocks. */
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
