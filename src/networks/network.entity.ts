import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { ProtectedEntity } from '../database/integrity/protected-entity';
import type { ProtectedTable } from '../secrets/row-macs';
import type { SealedColumn } from '../secrets/secret-cipher';
import type { NetworkFeeFields } from '../chains/evm/sending/fee-settings';
import type { NetworkType } from '../chains/network-type';

/** The column of {@link NetworkEntity.rpcUrls}. */
export const NETWORK_RPC_URLS: SealedColumn = { table: 'networks', column: 'rpc_urls' };
/** The column of {@link NetworkEntity.privateRpcUrls}. */
export const NETWORK_PRIVATE_RPC_URLS: SealedColumn = { table: 'networks', column: 'private_rpc_urls' };

/** A network for relayers. Null or empty columns mean that the value is unknown. */
@Entity('networks')
@Index('ix_networks_created_at', ['createdAt', 'id'])
@Index('uq_networks_type_name', ['networkType', 'name'], { unique: true })
export class NetworkEntity extends ProtectedEntity {
  /** `type:name`, for example `evm:sepolia`. */
  @PrimaryColumn('varchar', { length: 80 })
  id!: string;

  @Column('varchar', { length: 64 })
  name!: string;

  @Column('varchar', { name: 'network_type', length: 16 })
  networkType!: NetworkType;

  /** The EIP-155 chain id, in decimal; null on networks that are not EVM. */
  @Column('varchar', { name: 'chain_id', length: 20, nullable: true })
  chainId!: string | null;

  @Column('varchar', { length: 16, nullable: true })
  symbol!: string | null;

  @Column('int', { name: 'required_confirmations', nullable: true })
  requiredConfirmations!: number | null;

  @Column('int', { name: 'average_blocktime_ms', nullable: true })
  averageBlocktimeMs!: number | null;

  @Column('boolean', { name: 'is_testnet', nullable: true })
  isTestnet!: boolean | null;

  @Column('json')
  features!: string[];

  @Column('json')
  tags!: string[];

  @Column('json', { name: 'explorer_urls' })
  explorerUrls!: string[];

  /**
   * The JSON of the list, encrypted, because the URLs may contain keys of providers; null if the network is for signing
   * only.
   */
  @Column('text', { name: 'rpc_urls', nullable: true })
  rpcUrls!: string | null;

  /**
   * Like `rpcUrls`: endpoints that hide transactions until they are mined, and are used only for sending; null for
   * none.
   */
  @Column('text', { name: 'private_rpc_urls', nullable: true })
  privateRpcUrls!: string | null;

  /** The number of blocks after which a private transaction is sent publicly; null for never. */
  @Column('int', { name: 'private_fallback_blocks', nullable: true })
  privateFallbackBlocks!: number | null;

  /** How the transaction fees are determined; null for the defaults. */
  @Column('json', { nullable: true })
  fees!: NetworkFeeFields | null;

  /** The JSON-RPC methods that relayers forward to nodes; null for the read-only ones. */
  @Column('json', { name: 'rpc_methods', nullable: true })
  rpcMethods!: string[] | null;

  /** The Stellar network passphrase, to which signatures are bound. It is public. */
  @Column('varchar', { length: 255, nullable: true })
  passphrase!: string | null;

  @Column('varchar', { name: 'horizon_url', length: 2048, nullable: true })
  horizonUrl!: string | null;

  /** The id of the principal whose request created it; null for none. */
  @Column('varchar', { name: 'created_by', length: 36, nullable: true })
  createdBy!: string | null;
}

/**
 * The protected columns determine which chain signatures are for, which nodes are called, which fees are paid, and who
 * may change them.
 */
export const NETWORK_PROTECTION: ProtectedTable<NetworkEntity> = {
  table: 'networks',
  columns: {
    id: 'protected',
    name: 'protected',
    networkType: 'protected',
    chainId: 'protected',
    symbol: 'protected',
    requiredConfirmations: 'protected',
    averageBlocktimeMs: 'protected',
    isTestnet: 'protected',
    features: 'protected',
    tags: 'protected',
    explorerUrls: 'protected',
    rpcUrls: 'protected',
    privateRpcUrls: 'protected',
    privateFallbackBlocks: 'protected',
    fees: 'protected',
    rpcMethods: 'protected',
    passphrase: 'protected',
    horizonUrl: 'protected',
    createdBy: 'protected',
    createdAt: 'unprotected',
  },
};
