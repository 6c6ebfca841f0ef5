/** Faults of nodes that lag behind, forget things or lie about their chain. */
import { keccak256 } from 'ethers';
import type { Fault, Forward, Reply, RpcCall, RpcError } from './fault';
import { errorAfter, errorInstead } from './transport-faults';

const SEND = ['eth_sendRawTransaction'];
const NONCE = ['eth_getTransactionCount'];
const HEAD = ['eth_blockNumber', 'eth_getBlockByNumber'];

/** Transactions are lost, although their hash is returned. */
export const swallowSends = (): Fault => ({
  name: 'swallowed send',
  methods: SEND,
  apply: ({ params: [raw] }) => ({ result: keccak256(raw as string) }),
});

/** Transactions are refused. */
export const refuseSends = (error: RpcError): Fault => ({ ...errorInstead(error), methods: SEND });

/** Transactions are accepted but reported as refused, as by a node that a gateway calls twice. */
export const refuseAcceptedSends = (error: RpcError): Fault => ({ ...errorAfter(error), methods: SEND });

/** Nonces are too high, or too low if `by` is negative, but never below 0. */
export const shiftedNonces = (by: number): Fault => ({
  name: `nonces shifted by ${by}`,
  methods: NONCE,
  apply: async (_call, forward) => mapped(await forward(), (nonce) => Math.max(0, nonce + by)),
});

/** Calls are made to a node of another chain. */
export const otherChain = (url: string): Fault => ({
  name: 'another chain',
  apply: async ({ method, params }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: RpcError };
    return error ? { error } : { result };
  },
});

/** Nonces stay at their value at the first call to which the fault applies. */
export const stuckNonces = (): Fault => {
  const first = new Map<string, Reply>();
  return {
    name: 'stuck nonces',
    methods: NONCE,
    apply: async ({ params }, forward) => {
      const key = JSON.stringify(params);
      const reply = first.get(key) ?? (await forward());
      first.set(key, reply);
      return reply;
    },
  };
};

/** The newest block is the one from some blocks ago. */
export const staleHead = (blocks: number): Fault =>
  headAt(`head ${blocks} blocks ago`, async (forward) => (await headOf(forward)) - blocks);

/** The newest block stays the one at the first call to which the fault applies. */
export const stuckHead = (): Fault => {
  let first: number | undefined;
  return headAt('stuck head', async (forward) => (first ??= await headOf(forward)));
};

/** Transactions have no receipts; if a hash is given, only that one. */
export const hiddenReceipts = (hash?: string): Fault => hidden('eth_getTransactionReceipt', hash);

/** Transactions are not found; if a hash is given, only that one. */
export const hiddenTransactions = (hash?: string): Fault => hidden('eth_getTransactionByHash', hash);

/** Receipts report a block that many blocks below the true one, and nothing else that is wrong. */
export const loweredReceipts = (blocks: number): Fault => ({
  name: `receipts ${blocks} blocks lower`,
  methods: ['eth_getTransactionReceipt'],
  apply: async (_call, forward) => {
    const reply = await forward();
    if (!('result' in reply) || reply.result === null) return reply;
    const receipt = reply.result as { blockNumber: string };
    return { result: { ...receipt, blockNumber: quantity(Number(receipt.blockNumber) - blocks) } };
  },
});

/** Receipts say that the transactions have failed. */
export const failedReceipts = (): Fault => ({
  name: 'failed receipts',
  methods: ['eth_getTransactionReceipt'],
  apply: async (_call, forward) => {
    const reply = await forward();
    if (!('result' in reply) || reply.result === null) return reply;
    return { result: { ...(reply.result as object), status: '0x0' } };
  },
});

/** The chain ends some blocks ago: with that head, nonces and receipts up to there, and no states of later blocks. */
export const lateChain = (blocks: number): Fault => ({
  name: `chain ${blocks} blocks ago`,
  methods: [...HEAD, ...NONCE, 'eth_getTransactionReceipt'],
  apply: async (call, forward) => {
    const head = (await headOf(forward)) - blocks;
    const { method, params } = call;
    if (method === 'eth_blockNumber') return { result: quantity(head) };
    if (method === 'eth_getBlockByNumber')
      return params[0] === 'latest' ? forward(blockAt(call, quantity(head))) : undefined;
    const reply = await forward(
      method === 'eth_getTransactionCount' && params[1] === 'latest'
        ? { method, params: [params[0], quantity(head)] }
        : call,
    );
    if (method === 'eth_getTransactionCount')
      return params[1] !== 'latest' && Number(params[1]) > head
        ? { error: { code: -32000, message: 'header not found' } }
        : reply;
    const receipt = 'result' in reply ? (reply.result as { blockNumber: string } | null) : null;
    return receipt && Number(receipt.blockNumber) > head ? { result: null } : reply;
  },
});

const hidden = (method: string, hash?: string): Fault => ({
  name: `hidden: ${method}`,
  methods: [method],
  apply: ({ params }) => (hash === undefined || params[0] === hash ? { result: null } : undefined),
});

function headAt(name: string, numberOf: (forward: Forward) => Promise<number>): Fault {
  return {
    name,
    methods: HEAD,
    apply: async (call, forward) => {
      if (call.method === 'eth_getBlockByNumber' && call.params[0] !== 'latest') return undefined;
      const number = quantity(Math.max(0, await numberOf(forward)));
      return call.method === 'eth_blockNumber' ? { result: number } : forward(blockAt(call, number));
    },
  };
}

const blockAt = ({ method, params }: RpcCall, number: string): RpcCall => ({
  method,
  params: [number, ...params.slice(1)],
});

async function headOf(forward: Forward): Promise<number> {
  const reply = await forward({ method: 'eth_blockNumber', params: [] });
  if ('error' in reply) throw new Error(`The node has no head: ${reply.error.message}`);
  return Number(reply.result);
}

const mapped = (reply: Reply, map: (number: number) => number): Reply =>
  'result' in reply ? { result: quantity(map(Number(reply.result))) } : reply;

const quantity = (number: number): string => `0x${number.toString(16)}`;
