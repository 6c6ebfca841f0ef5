import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error';
import { RowAlteredError } from '../../database/integrity/row-altered.error';
import { RowIntegrity } from '../../database/integrity/row-integrity';
import { RelayersService } from '../../relayers/relayers.service';
import { accountId, type AccountNonceEntity } from '../account-nonce.entity';
import { TransactionChains } from '../chains/transaction-chains';
import { ofAccount, TransactionRows } from '../transaction-rows';
import type { Account } from '../processing/open-transactions';
import type { FoundAccount } from './lane';
import { LaneRows } from './lane-rows';
import { NoEndpointError } from './no-endpoint.error';

const TABLE = 'account_nonces';
/** Accounts without an endpoint that are remembered, so that each is logged once. */
const MAX_REMEMBERED = 10_000;

/**
 * Finds everything that is needed to process an account. Ledgers have no MACs, so the relayer that a ledger names is
 * only used if it has this account.
 */
@Injectable()
export class AccountLookup {
  private readonly withoutEndpoint = new Set<string>();

  constructor(
    private readonly ledgers: LaneRows,
    private readonly rows: TransactionRows,
    private readonly relayers: RelayersService,
    private readonly chains: TransactionChains,
    private readonly integrity: RowIntegrity,
  ) {
    integrity.countAltered(TABLE);
  }

  /** Undefined if the account's relayer no longer exists. @throws RowAlteredError, NoEndpointError */
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
    const { chain, network } = await this.chains.accessOf(found.relayer).catch((error: unknown) => {
      throw this.noEndpoint({ ledger, relayer: found.relayer }, error) ?? error;
    });
    this.withoutEndpoint.delete(ledger.id);
    const chainId = network.chainId ?? '';
    const isOwn = chainId === ledger.chainId && accountId({ networkType, chainId, address }) === ledger.id;
    return isOwn ? { ledger, ...found, chain } : undefined;
  }

  /** Undefined if an error has another cause. */
  private noEndpoint(account: Account, error: unknown): NoEndpointError | undefined {
    if (!(error instanceof DomainError) || error.code !== 'invalid_request') return undefined;
    const { id } = account.ledger;
    const isNew = !this.withoutEndpoint.has(id);
    if (this.withoutEndpoint.size >= MAX_REMEMBERED) this.withoutEndpoint.clear();
    this.withoutEndpoint.add(id);
    return new NoEndpointError(account, error, isNew);
  }

  /** Whether the account has open transactions, and the ledger still names the same relayer. */
  private async isNeeded({ id, relayerId }: AccountNonceEntity): Promise<boolean> {
    // Not by the index on the account, which contains its whole history.
    const isOpen = await this.rows.repository.existsBy({ ...ofAccount(id), openRelayerId: MoreThan('') });
    return isOpen && (await this.ledgers.find(id))?.relayerId === relayerId;
  }
}
