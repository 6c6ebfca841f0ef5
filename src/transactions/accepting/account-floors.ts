import { Injectable } from '@nestjs/common';
import { unlessUnreadable } from '../../chains/evm/node-read';
import { within } from '../../common/event-loop/within';
import { type Account, type AccountNonceEntity, accountId } from '../account-nonce.entity';
import { type KnownNonce, KnownNonces } from '../lanes/known-nonces';
import type { Chain } from '../processing/lane-context';
import { AccountLedger } from './account-ledger';

/** If the nonce of an idle account was read longer ago than this, it is read again before a nonce is assigned. */
const NONCE_AGE_MS = 5000;
/** How long acceptance waits for the nonce of an idle account. */
const NONCE_PATIENCE_MS = 1500;

/** A nonce that was read from the chain: no lower one is assigned. */
export type Floor = KnownNonce;

/** The floor if the nonce on the chain is not known. */
export const NO_FLOOR: Floor = { nonce: 0, lowerings: 0 };

/**
 * Whether a floor holds for a locked ledger. One that is above the ledger must have been read since the ledger was last
 * lowered: an earlier one may be the false nonce that has just been corrected. As a ledger only rises between two
 * lowerings, such a floor was above it when it was read too, so most endpoints have reported it.
 */
export const holdsFor = ({ nonce, lowerings }: Floor, ledger: AccountNonceEntity): boolean =>
  nonce <= ledger.nextNonce || lowerings === ledger.lowerings;

/** Reads the nonces of accounts on their chains before nonces are assigned. */
@Injectable()
export class AccountFloors {
  constructor(
    private readonly ledger: AccountLedger,
    private readonly known: KnownNonces,
  ) {}

  /** The floor of an account; read at most 5 s ago. */
  async of(account: Account, chain: Chain): Promise<Floor> {
    return this.known.get(accountId(account), NONCE_AGE_MS) ?? this.read(account, chain);
  }

  /** As {@link of}, but read now. */
  async read(account: Account, chain: Chain): Promise<Floor> {
    const id = accountId(account);
    // Read first: what the nodes report next is then newer than these lowerings.
    const ledger = await this.ledger.find(id);
    const view = await inTime(chain.read(account.address));
    if (!view) return NO_FLOOR;
    let { nonce } = view;
    // A single endpoint must not decide: a nonce that is too high would leave a gap.
    if (nonce > (ledger?.nextNonce ?? 0))
      nonce = Math.min(nonce, (await inTime(chain.agreedNonce(account.address))) ?? 0);
    const floor = { nonce, lowerings: ledger?.lowerings ?? 0 };
    this.known.set(id, floor);
    return floor;
  }
}

/** Undefined if no node responds in time, or if the node refuses the call. */
const inTime = <T>(reading: Promise<T>): Promise<T | undefined> =>
  unlessUnreadable(() => within(NONCE_PATIENCE_MS, reading, () => undefined));
