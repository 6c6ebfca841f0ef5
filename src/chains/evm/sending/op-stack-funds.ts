import { orOn } from '../../../common/errors/or-on';
import { NodeRefusedError } from '../node-read';
import { RpcUnavailableError } from '../../rpc/endpoint-error';
import { hexWord } from '../quantity';
import type { RollupFees } from '../../transaction-chain';
import type { RpcPool } from '../../rpc/rpc-pool';
import { serializeUnsigned } from '../transaction/serialized-transaction';
import type { UnsignedTransaction } from '../transaction/unsigned-transaction';
import { callAt } from './estimate';
import { knownBalance } from './payable-fees';

/** GasPriceOracle, which every OP stack chain has from its first block on. */
const ORACLE = '0x420000000000000000000000000000000000000F';
/** Selector of `getL1Fee(bytes)`, followed by the offset of its only parameter. */
const GET_L1_FEE = `0x49948e0e${hexWord(32)}`;
/** Selector of `getOperatorFee(uint256)`, which the oracle has since Isthmus. */
const GET_OPERATOR_FEE = '0x275aedd2';

/**
 * Determines whether accounts of an OP stack chain can pay for a transaction: in addition to value and gas, it costs
 * the fee for its data on L1, and since Isthmus the operator fee for its gas limit.
 */
export class OpStackFunds {
  constructor(private readonly pool: RpcPool) {}

  /** A message for clients that states which funds are missing. Undefined if the balance suffices or cannot be read. */
  async shortfall(sender: string, transaction: UnsignedTransaction): Promise<string | undefined> {
    const [balance, fees] = await Promise.all([
      knownBalance(this.pool, sender),
      this.knownFees(sender, transaction),
    ]);
    const needed = costOf(transaction) + fees;
    if (balance === undefined || balance >= needed) return undefined;
    return `Waiting for funds: the balance of the relayer does not cover ${needed} wei, of which ${fees} are the L1 and operator fees`;
  }

  /** The L1 and operator fees together, in wei; one that no node reports counts as 0. */
  async knownFees(sender: string, transaction: UnsignedTransaction): Promise<bigint> {
    const fees = callsOf(transaction).map((data) =>
      orOn(RpcUnavailableError, 0n, () => oracleFee(this.pool, sender, data)),
    );
    return (await Promise.all(fees)).reduce((sum, fee) => sum + fee, 0n);
  }

  /** The current fees; 0n for one that the oracle does not return. @throws RpcUnavailableError */
  async feesOf(sender: string, transaction: UnsignedTransaction, pool = this.pool): Promise<RollupFees> {
    const fees = callsOf(transaction).map((data) => oracleFee(pool, sender, data));
    const [data = 0n, operator = 0n] = await Promise.all(fees);
    return { data, operator };
  }
}

/** The data of the calls that return the L1 fee and the operator fee. */
const callsOf = (transaction: UnsignedTransaction): string[] => [
  GET_L1_FEE + encodeBytes(serializeUnsigned(transaction)),
  GET_OPERATOR_FEE + hexWord(transaction.members.gas_limit),
];

/** In wei; 0n if the oracle does not return a number. @throws RpcUnavailableError */
async function oracleFee(pool: RpcPool, sender: string, data: string): Promise<bigint> {
  const call = { from: sender, to: ORACLE, value: 0n, data };
  const result = await orOn(NodeRefusedError, undefined, () => callAt(pool, call, 'latest'));
  return result && 'returned' in result && /^0x[0-9a-f]{64}$/.test(result.returned)
    ? BigInt(result.returned)
    : 0n;
}

/** The balance in wei that nodes require for the execution. */
function costOf({ members }: UnsignedTransaction): bigint {
  const price = 'gas_price' in members ? members.gas_price : members.max_fee_per_gas;
  return members.value + members.gas_limit * price;
}

/** The ABI encoding of `bytes`, length and content, as hex digits. */
function encodeBytes(bytes: Buffer): string {
  const digits = bytes.toString('hex');
  return hexWord(bytes.length) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0');
}
