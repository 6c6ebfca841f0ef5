import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';
import { costOfAttempt } from '../../chains/evm/sending/attempt-fees';
import { noop } from '../../chains/evm/sending/attempt-form';
import type { RollupFees } from '../../chains/transaction-chain';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import { invalidRequest } from '../../common/errors/domain-error';
import { greatest, parseBigInteger } from '../../common/validation/big-integer';
import type { RelayerEntity } from '../../relayers/relayer.entity';
import { AccountLedger } from '../accepting/account-ledger';
import { accountId } from '../account-nonce.entity';
import { TransactionChains } from '../chains/transaction-chains';
import { kindOf } from '../processing/attempt-signer';
import { countTogether } from '../processing/count-together';
import type { Chain } from '../processing/lane-context';
import { TransactionRows } from '../transaction-rows';
import { UNMINED } from '../transaction-status';
import type { TransactionEntity } from '../transaction.entity';

/** The open transactions of the sender of a top-up that are read together. @limit Transactions */
const READ_TOGETHER = 100;
/** A signed transfer has more bytes, so the cost of its data per byte is not above that of others. */
const TRANSFER_BYTES = 100n;

/** What a relayer can send. */
export interface Funds {
  /** Wei beyond the cost of its open transactions and the fees of the transfer; negative if they are not covered. */
  free: bigint;
  /** The number of changes of the account's ledger for which this is so. */
  ledgerChanges: number;
}

/** A transfer at current prices, in wei. */
interface Transfer {
  gas: bigint;
  price: bigint;
  rollupFees: RollupFees;
}

/** Determines what a relayer can send without delaying its own transactions. */
@Injectable()
export class SourceFunds {
  constructor(
    private readonly ledger: AccountLedger,
    private readonly rows: TransactionRows,
    private readonly chains: TransactionChains,
  ) {}

  /**
   * @param to the receiver of a transfer
   * @throws DomainError; RpcUnavailableError, NodeRefusedError
   */
  async of(source: RelayerEntity, to: string): Promise<Funds> {
    const { chain, network } = await this.chains.accessOf(source);
    const { networkType, address } = source;
    // The balance is read last: what is mined in between is then counted twice rather than not at all.
    const ledger = await this.ledger.find(accountId({ networkType, chainId: network.chainId, address }));
    const transfer = await transferTo(chain, address, to);
    const open = await this.costOfOpen(source, chain, transfer);
    // Mined transactions are not counted, so an endpoint that does not have their block yet must not be the only one.
    const balance = await chain.spendableBalance(address);
    const { data, operator } = transfer.rollupFees;
    const fees = transfer.gas * transfer.price + data + operator;
    return { free: balance - open - fees, ledgerChanges: ledger?.changes ?? 0 };
  }

  /** What the transactions may cost that are not mined, in wei. */
  private async costOfOpen({ id }: RelayerEntity, chain: Chain, transfer: Transfer): Promise<bigint> {
    let sum = 0n;
    let after = -1;
    for (;;) {
      const rows = await this.openAfter(id, after);
      for (const row of rows) sum += await costOf(row, chain, transfer);
      const last = rows.at(-1);
      if (!last) return sum;
      after = last.nonce;
    }
  }

  private async openAfter(openRelayerId: string, nonce: number): Promise<TransactionEntity[]> {
    const where = { openRelayerId, status: In(UNMINED), nonce: MoreThan(nonce) };
    const order = { nonce: 'ASC' } as const;
    const take = await countTogether(this.rows, where, READ_TOGETHER);
    return this.rows.find({ where, order, take });
  }
}

/** @throws DomainError `invalid_request` if it would revert; RpcUnavailableError */
async function transferTo(chain: Chain, sender: string, to: string): Promise<Transfer> {
  // A transfer of nothing: the balance may not cover the value, which would look like a revert. Its speed costs more
  // than that of a top-up.
  const request = await chain.complete(sender, { ...noop(to) }, true);
  const gas = parseBigInteger(request.gas_limit);
  if (gas === undefined) throw new RpcUnavailableError('connection');
  const [price, rollupFees] = await Promise.all([
    chain.priceAt(request),
    chain.rollupFeesOf(sender, request),
  ]);
  return { gas, price, rollupFees };
}

/** What a transaction costs at most, at current prices: its newest attempt may be mined, or the next one. */
async function costOf(row: TransactionEntity, chain: Chain, transfer: Transfer): Promise<bigint> {
  const { request, attempt } = row;
  const isNoop = kindOf(row) === 'noop';
  const gas = isNoop ? transfer.gas : parseBigInteger(request.gas_limit ?? attempt?.gas_limit);
  // Unless no node responded when it was accepted, it has a gas limit.
  if (gas === undefined)
    throw invalidRequest(`the fees of transaction ${row.id} of relayer ${row.relayerId} are not known yet`);
  const price = isNoop ? transfer.price : await chain.priceAt(request);
  const value = isNoop ? 0n : (parseBigInteger(request.value) ?? 0n);
  const next = value + gas * price;
  const last = attempt ? costOfAttempt(attempt) : 0n;
  const bytes = typeof request.data === 'string' ? BigInt(request.data.length / 2) : 0n;
  const { data } = transfer.rollupFees;
  return greatest(next, last) + data * (1n + bytes / TRANSFER_BYTES) + operatorFeeOf(gas, transfer);
}

/** A part of the fee does not depend on the gas, so it is at least that of the transfer. */
function operatorFeeOf(gas: bigint, transfer: Transfer): bigint {
  const { operator } = transfer.rollupFees;
  return gas <= transfer.gas ? operator : (operator * gas + transfer.gas - 1n) / transfer.gas;
}
