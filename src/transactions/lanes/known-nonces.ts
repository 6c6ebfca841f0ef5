import { Injectable } from '@nestjs/common';
import { setNewest } from '../../common/set-newest';

const MAX_ACCOUNTS = 10_000;

/** The nonces of accounts as this instance last read them from their chains. */
@Injectable()
export class KnownNonces {
  private readonly nonces = new Map<string, { nonce: number; at: number }>();

  /** The nonce of an account, if it was read no longer ago than this. */
  get(accountId: string, maxAgeMs: number): number | undefined {
    const known = this.nonces.get(accountId);
    return known && performance.now() - known.at <= maxAgeMs ? known.nonce : undefined;
  }

  set(accountId: string, nonce: number): void {
    setNewest(this.nonces, accountId, { nonce, at: performance.now() }, MAX_ACCOUNTS);
  }
}
