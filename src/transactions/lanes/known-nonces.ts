import { Injectable } from '@nestjs/common';
import { setNewest } from '../../common/set-newest';

const MAX_ACCOUNTS = 10_000;

/** The nonce of an account on its chain, and how often its ledger had been lowered before it was read. */
interface KnownNonce {
  nonce: number;
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
