/** Methods that only read the chain. They are allowed by default and safe to repeat. */
const READS = {
  call: ['eth_call', 'eth_estimateGas', 'eth_createAccessList', 'eth_simulateV1'],
  logs: ['eth_getLogs'],
  read: [
    'eth_accounts',
    'eth_blobBaseFee',
    'eth_blockNumber',
    'eth_chainId',
    'eth_feeHistory',
    'eth_gasPrice',
    'eth_getBalance',
    'eth_getBlockByHash',
    'eth_getBlockByNumber',
    'eth_getBlockReceipts',
    'eth_getBlockTransactionCountByHash',
    'eth_getBlockTransactionCountByNumber',
    'eth_getCode',
    'eth_getProof',
    'eth_getStorageAt',
    'eth_getTransactionByBlockHashAndIndex',
    'eth_getTransactionByBlockNumberAndIndex',
    'eth_getTransactionByHash',
    'eth_getTransactionCount',
    'eth_getTransactionReceipt',
    'eth_getUncleByBlockHashAndIndex',
    'eth_getUncleByBlockNumberAndIndex',
    'eth_getUncleCountByBlockHash',
    'eth_getUncleCountByBlockNumber',
    'eth_maxPriorityFeePerGas',
    'eth_protocolVersion',
    'eth_syncing',
    'net_version',
    'web3_clientVersion',
    'web3_sha3',
  ],
} as const;

/** The classes of methods in the metrics. */
export type MethodClass = keyof typeof READS | 'send' | 'other';

const CLASSES = new Map<string, MethodClass>([
  ...Object.entries(READS).flatMap(([name, methods]) =>
    methods.map((method): [string, MethodClass] => [method, name as keyof typeof READS]),
  ),
  ['eth_sendRawTransaction', 'send'],
  ['eth_sendRawTransactionConditional', 'send'],
]);

export function methodClass(method: string): MethodClass {
  return CLASSES.get(method) ?? 'other';
}

/** Whether a method only reads, so that concurrent identical calls can share one. */
export function isSharedRead(method: string): boolean {
  const name = methodClass(method);
  return name !== 'send' && name !== 'other';
}

/** Stands for all reading methods in a network's list of methods. */
const READING_METHODS = 'read';

/** Whether a network forwards a method. @param allowed the network's list; null for the reading methods only */
export function allowsMethod(allowed: readonly string[] | null, method: string): boolean {
  if (allowed?.includes(method)) return true;
  return (allowed === null || allowed.includes(READING_METHODS)) && isSharedRead(method);
}
