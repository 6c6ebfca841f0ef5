import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { RowAlteredError } from '../../database/integrity/row-altered.error';
import { RowIntegrity } from '../../database/integrity/row-integrity';
import { RelayersService } from '../../relayers/relayers.service';
import { accountId, type AccountNonceEntity } from '../account-nonce.entity';
import { TransactionChains } from '../chains/transaction-chains';
import { ofAccount, TransactionRows } from '../transaction-rows';
import type { FoundAccount } from './lane';
import { LaneRows } from './lane-rows';

const TABLE = 'account_nonces';

/**
 * Finds everything that is needed to process an account. Ledgers have no MACs, so the relayer that a ledger names is
 * only used if it has this account.
 */
@Injectable()
export class AccountLookup {
  constructor(
    private readonly ledgers: LaneRows,
    private readonly rows: TransactionRows,
    private readonly relayers: RelayersService,
    private readonly chains: TransactionChains,
    private readonly integrity: RowIntegrity,
  ) {
    integrity.countAltered(TABLE);
  }

  /** Undefined if the account's relayer no longer exists. @throws RowAlteredError */
  async find(id: string): Promise<FoundAccount | undefined> {
    const ledger = await this.ledgers.find(id);
    if (!ledger) return undefined;
    const found = await this.findOf(ledger);
    // The relayer was deleted, and perhaps created again with another account. It had no open transactions then.
    if (found || !(await this.isNeeded(ledger))) return found;
    this.integrity.reportAltered(TABLE, id, 'names a relayer or an address that is not of this account');
    throw new RowAlteredError(TABLE, id);
  }

  /** Undefined if the relayer that the ledger names does not exist, or the ledger is not that of its account. */
  private async findOf(ledger: AccountNonceEntity): Promise<FoundAccount | undefined> {
    const found = await this.relayers.findForProcessing(ledger.relayerId);
    if (!found) return undefined;
    const { networkType, address } = found.relayer;
    if (networkType !== ledger.networkType || address !== ledger.address) return undefined;
    const { chain, network } = await this.chains.accessOf(found.relayer);
    const chainId = network.chainId ?? '';
    const isOwn = chainId === ledger.chainId && accountId({ networkType, chainId, address }) === ledger.id;
    return isOwn ? { ledger, ...found, chain } : undefined;
  }

  /** Whether the account has open transactions, and the ledger still names the same relayer. */
  private async isNeeded({ id, relayerId }: AccountNonceEntity): Promise<boolean> {
    // Not by the index on the account, which contains its whole history.
    const isOpen = await this.rows.repository.existsBy({ ...ofAccount(id), openRelayerId: MoreThan('') });
    return isOpen && (await this.ledgers.find(id))?.relayerId === relayerId;
  }
}
