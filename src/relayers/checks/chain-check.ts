import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { parseBigInteger } from '../../common/validation/big-integer';
import type { AppConfig } from '../../config/app-config';
import { readBalance, readNonce } from '../../chains/evm/account';
import { unlessUnreadable } from '../../chains/evm/node-read';
import type { RpcPool } from '../../chains/rpc/rpc-pool';
import { RelayerChain } from '../chain-access/relayer-chain';
import type { SingleReasonType } from '../disabled-reason';
import type { RelayerEntity } from '../relayer.entity';

/** The default of `min_balance`, in wei. */
const DEFAULT_MIN_BALANCE = 1n;
/** The chain of an endpoint is not verified again within this fraction of the check interval. */
const CHAIN_KNOWN_FOR = 0.8;

export interface CheckResult {
  /** The failed checks; empty if the relayer can work, or can only sign. */
  reasons: SingleReasonType[];
  /** In wei; undefined if it could not be read. */
  balance: bigint | undefined;
}

/** Checks whether a relayer could use its chain now. */
@Injectable()
export class ChainCheck {
  private readonly chainKnownForMs: number;

  constructor(
    private readonly chain: RelayerChain,
    config: ConfigService<AppConfig, true>,
  ) {
    this.chainKnownForMs = CHAIN_KNOWN_FOR * config.get('relayerChecks', { infer: true }).intervalMs;
  }

  /**
   * Passes if an endpoint serves the right chain, the nonce can be read, and the balance is at least `min_balance`. If
   * no endpoint responds, that is reported as the only failure, not the values that could not be read.
   */
  async run(relayer: RelayerEntity): Promise<CheckResult> {
    const pool = await this.chain.poolOf(relayer);
    if (!pool) return { reasons: [], balance: undefined };
    // Instances verify the chain at different times. After a failed check, none of them may pass without verifying it
    // again.
    const knownForMs = relayer.failedChecks > 0 ? 0 : this.chainKnownForMs;
    if (!(await pool.verify(knownForMs))) return { reasons: ['RpcValidationFailed'], balance: undefined };
    const [nonce, balance] = await Promise.all([
      unlessUnreadable(() => readNonce(pool, relayer.address)),
      unlessUnreadable(() => readBalance(pool, relayer.address)),
    ]);
    if (nonce === undefined && balance === undefined)
      return { reasons: [await this.bothUnreadable(pool)], balance };
    const reasons: SingleReasonType[] = [];
    if (nonce === undefined) reasons.push('NonceSyncFailed');
    if (balance === undefined) reasons.push('RpcValidationFailed');
    else if (balance < minBalanceOf(relayer)) reasons.push('BalanceCheckFailed');
    return { reasons, balance };
  }

  /** If the endpoints became unavailable after their chain was verified, that is not a nonce failure. */
  private async bothUnreadable(pool: RpcPool): Promise<SingleReasonType> {
    return (await pool.verify(0)) ? 'NonceSyncFailed' : 'RpcValidationFailed';
  }
}

function minBalanceOf({ policies }: RelayerEntity): bigint {
  return parseBigInteger(policies.min_balance) ?? DEFAULT_MIN_BALANCE;
}
