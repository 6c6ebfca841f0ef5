import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ProtectedTable } from '../secrets/row-macs';
import type { SealedColumn } from '../secrets/secret-cipher';
import type { NetworkFeeFields } from '../chains/evm/sending/fee-settings';
import type { NetworkType } from '../chains/network-type';

/** {@link NetworkEntity.rpcUrls} */
export const NETWORK_RPC_URLS: SealedColumn = { table: 'networks', column: 'rpc_urls' };
/** {@link NetworkEntity.privateRpcUrls} */
export const NETWORK_PRIVATE_RPC_URLS: SealedColumn = { table: 'networks', column: 'private_rpc_urls' };

/** A network for relayers. Null or empty columns are unknown. */
@Entity('networks')
@Index('ix_networks_created_at', ['createdAt', 'id'])
@Index('uq_networks_type_name', ['networkType', 'name'], { unique: true })
export class NetworkEntity {
  /** `type:name`, as in `evm:sepolia`. */
  @PrimaryColumn('varchar', { length: 80 })
  id!: string;

  @Column('varchar', { length: 64 })
  name!: string;

  @Column('varchar', { name: 'network_type', length: 16 })
  networkType!: NetworkType;

  /** EIP-155, in decimal; null on networks that are not EVM. */
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

  /** JSON of the list, encrypted, since the URLs carry provider keys; null if the network is signing-only. */
  @Column('text', { name: 'rpc_urls', nullable: true })
  rpcUrls!: string | null;

  /** As `rpcUrls`: endpoints that hide transactions until they are mined, and are only sent to; null for none. */
  @Column('text', { name: 'private_rpc_urls', nullable: true })
  privateRpcUrls!: string | null;

  /** Blocks after which a private transaction is sent publicly; null for never. */
  @Column('int', { name: 'private_fallback_blocks', nullable: true })
  privateFallbackBlocks!: number | null;

  /** How the fees of transactions are found; null for the defaults. */
  @Column('json', { nullable: true })
  fees!: NetworkFeeFields | null;

  /** JSON-RPC methods that relayers pass on to nodes; null for the read-only ones. */
  @Column('json', { name: 'rpc_methods', nullable: true })
  rpcMethods!: string[] | null;

  /** The network passphrase of Stellar, which signatures are bound to. It is public. */
  @Column('varchar', { length: 255, nullable: true })
  passphrase!: string | null;

  @Column('varchar', { name: 'horizon_url', length: 2048, nullable: true })
  horizonUrl!: string | null;

  /** Proves that the protected columns are as the service wrote them; see `RowMacs`. */
  @Column('varchar', { length: 80, nullable: true })
  mac!: string | null;

  @Column('datetime', { name: 'created_at', precision: 6 })
  createdAt!: Date;
}

/** The protected columns decide which chain signatures are for, which nodes are called, and what is paid. */
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
    createdAt: 'unprotected',
  },
};
