import { orOn } from '../../../common/errors/or-on';
import { NodeRefusedError } from '../node-read';
import { RpcUnavailableError } from '../../rpc/endpoint-error';
import type { RpcPool } from '../../rpc/rpc-pool';
import { serializeUnsigned } from '../transaction/serialized-transaction';
import type { UnsignedTransaction } from '../transaction/unsigned-transaction';
import { callAt } from './estimate';
import { knownBalance } from './payable-fees';

/** GasPriceOracle, which every OP stack chain has from its first block on. */
const ORACLE = '0x420000000000000000000000000000000000000F';
/** Selector of `getL1Fee(bytes)`, followed by the offset of its only parameter. */
const GET_L1_FEE = `0x49948e0e${(32).toString(16).padStart(64, '0')}`;

/**
 * Determines whether accounts of an OP stack chain can pay for a transaction: in addition to value and gas, it costs
 * the fee for its data on L1.
 */
export class OpStackFunds {
  constructor(private readonly pool: RpcPool) {}

  /** A message for clients that states which funds are missing. Undefined if the balance suffices or cannot be read. */
  async shortfall(sender: string, transaction: UnsignedTransaction): Promise<string | undefined> {
    const [balance, l1Fee] = await Promise.all([
      knownBalance(this.pool, sender),
      this.knownL1Fee(sender, transaction),
    ]);
    const needed = costOf(transaction) + l1Fee;
    if (balance === undefined || balance >= needed) return undefined;
    return `Waiting for funds: the balance of the relayer does not cover ${needed} wei, of which ${l1Fee} are the L1 fee`;
  }

  /** As {@link l1FeeOf}, but 0n if no node responds. */
  async knownL1Fee(sender: string, transaction: UnsignedTransaction): Promise<bigint> {
    return orOn(RpcUnavailableError, 0n, () => this.l1FeeOf(sender, transaction));
  }

  /** The current L1 fee in wei; 0n if the oracle does not return one. @throws RpcUnavailableError */
  async l1FeeOf(sender: string, transaction: UnsignedTransaction, pool = this.pool): Promise<bigint> {
    const data = GET_L1_FEE + encodeBytes(serializeUnsigned(transaction));
    const call = { from: sender, to: ORACLE, value: 0n, data };
    const result = await orOn(NodeRefusedError, undefined, () => callAt(pool, call, 'latest'));
    return result && 'returned' in result && /^0x[0-9a-f]{64}$/.test(result.returned)
      ? BigInt(result.returned)
      : 0n;
  }
}

/** The balance in wei that nodes require for the execution. */
function costOf({ members }: UnsignedTransaction): bigint {
  const price = 'gas_price' in members ? members.gas_price : members.max_fee_per_gas;
  return members.value + members.gas_limit * price;
}

/** The ABI encoding of `bytes`, length and content, as hex digits. */
function encodeBytes(bytes: Buffer): string {
  const digits = bytes.toString('hex');
  return bytes.length.toString(16).padStart(64, '0') + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0');
}
