import { Injectable } from '@nestjs/common';
import { setNewest } from '../../common/set-newest';

const MAX_ACCOUNTS = 10_000;

/** The nonce of an account, as it was read from its chain. */
export interface KnownNonce {
  nonce: number;
  /** How often the ledger of the account had been lowered before the nonce was read. */
  lowerings: number;
}

/** The nonces of accounts as this instance last read them from their chains. */
@Injectable()
export class KnownNonces {
  private readonly nonces = new Map<string, { known: KnownNonce; at: number }>();

  /** The nonce of an account, if it was read no longer ago than this. */
  get(accountId: string, maxAgeMs: number): KnownNonce | undefined {
    const last = this.nonces.get(accountId);
    return last && performance.now() - last.at <= maxAgeMs ? last.known : undefined;
  }

  set(accountId: string, known: KnownNonce): void {
    setNewest(this.nonces, accountId, { known, at: performance.now() }, MAX_ACCOUNTS);
  }
}
