/** The options of a private node. Omitted ones have anvil's defaults, except for the hard fork. */
export interface AnvilOptions {
  /** Default 31337. */
  chainId?: number;
  /** By default a free port. */
  port?: number;
  /** The block time in seconds, which may be less than 1. By default there is a block for each transaction. */
  blockTime?: number;
  /** Whether only `mine` creates blocks. */
  noMining?: boolean;
  /** Whether there is a block for each transaction, in addition to one per `blockTime`. */
  mixedMining?: boolean;
  /** The gas limit of a block. */
  gasLimit?: number;
  /** Which transactions of the pool are mined first. Default `fees`. */
  order?: 'fees' | 'fifo';
  /** The base fee of the first block, in wei. */
  baseFee?: number;
  /** The maximum size of a contract's code, in bytes. */
  codeSizeLimit?: number;
  /** Default `prague`. */
  hardfork?: string;
  /** Whether to refuse transactions above the gas limit of EIP-7825; requires the hard fork `osaka`. */
  limitGasOfTransactions?: boolean;
}

/** The options as command-line parameters. */
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
