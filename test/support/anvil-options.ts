/** How a private node is started. What is left out is as anvil has it, the hard fork aside. */
export interface AnvilOptions {
  /** Default 31337. */
  chainId?: number;
  /** Default: a free one. */
  port?: number;
  /** Seconds from block to block, also below 1. Default: a block for each transaction. */
  blockTime?: number;
  /** Blocks come from `mine` only. */
  noMining?: boolean;
  /** A block for each transaction, and one per `blockTime` beside it. */
  mixedMining?: boolean;
  /** Of a block. */
  gasLimit?: number;
  /** Which transactions of the pool come first. Default `fees`. */
  order?: 'fees' | 'fifo';
  /** Of the first block, in wei. */
  baseFee?: number;
  /** Longest code of a contract, in bytes. */
  codeSizeLimit?: number;
  /** Default `prague`. */
  hardfork?: string;
  /** Refuses transactions above the gas limit of EIP-7825; needs the hard fork `osaka`. */
  limitGasOfTransactions?: boolean;
}

/** The options as parameters of the program. */
export function anvilParameters({
  noMining = false,
  mixedMining = false,
  limitGasOfTransactions = false,
  hardfork = 'prague',
  ...options
}: AnvilOptions): string[] {
  const valued: Record<string, string | number | undefined> = {
    '--port': options.port,
    '--chain-id': options.chainId,
    '--block-time': options.blockTime,
    '--gas-limit': options.gasLimit,
    '--order': options.order,
    '--block-base-fee-per-gas': options.baseFee,
    '--code-size-limit': options.codeSizeLimit,
    '--hardfork': hardfork,
  };
  return [
    ...['--host', '127.0.0.1', '--silent'],
    ...Object.entries(valued).flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)])),
    ...(noMining ? ['--no-mining'] : []),
    ...(mixedMining ? ['--mixed-mining'] : []),
    ...(limitGasOfTransactions ? ['--enable-tx-gas-limit'] : []),
  ];
}
