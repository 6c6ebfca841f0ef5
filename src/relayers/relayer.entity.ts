import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { ProtectedEntity } from '../database/integrity/protected-entity';
import type { NetworkType } from '../chains/network-type';
import { NetworkEntity } from '../networks/network.entity';
import type { ProtectedTable } from '../secrets/row-macs';
import type { SealedColumn } from '../secrets/secret-cipher';
import { NotificationEntity } from '../notifications/notification.entity';
import { SignerEntity } from '../signers/signer.entity';
import type { DisabledReason } from './disabled-reason';

/** The column of {@link RelayerEntity.customRpcUrls}. */
export const RELAYER_RPC_URLS: SealedColumn = { table: 'relayers', column: 'custom_rpc_urls' };

/** An account on a network, whose key a signer holds. */
@Entity('relayers')
@Index('ix_relayers_created_at', ['createdAt', 'id'])
@Index('ix_relayers_notification_id', ['notificationId'])
@Index('ix_relayers_network', ['networkType', 'network'])
@Index('ix_relayers_next_check_at', ['nextCheckAt'])
@Index('ix_relayers_relayer_group', ['group'])
@Index('uq_relayers_signer_network', ['signerId', 'networkType', 'network'], { unique: true })
@Index('uq_relayers_address_chain', ['address', 'chainId'], { unique: true })
export class RelayerEntity extends ProtectedEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  @Column('varchar', { length: 255 })
  name!: string;

  /**
   * API keys can be limited to relayers by id or by group. The column is not called `group`, because that is a reserved
   * word in SQL.
   */
  @Column('varchar', { name: 'relayer_group', length: 36, nullable: true })
  group!: string | null;

  @Column('varchar', { length: 64 })
  network!: string;

  @Column('varchar', { name: 'network_type', length: 16 })
  networkType!: NetworkType;

  @ManyToOne(() => NetworkEntity, { nullable: false, onDelete: 'RESTRICT', onUpdate: 'RESTRICT' })
  @JoinColumn([
    {
      name: 'network_type',
      referencedColumnName: 'networkType',
      foreignKeyConstraintName: 'fk_relayers_network',
    },
    { name: 'network', referencedColumnName: 'name', foreignKeyConstraintName: 'fk_relayers_network' },
  ])
  onNetwork?: NetworkEntity;

  /** In the form of the network type: EIP-55, base58 or StrKey. */
  @Column('varchar', { length: 64 })
  address!: string;

  /**
   * The EIP-155 chain id, in decimal, copied from the network so that an account (address and chain id) has one
   * relayer; null on networks that are not EVM, or whose chain id is not known.
   */
  @Column('varchar', { name: 'chain_id', length: 20, nullable: true })
  chainId!: string | null;

  @Column('varchar', { name: 'signer_id', length: 36 })
  signerId!: string;

  @ManyToOne(() => SignerEntity, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT' })
  @JoinColumn({ name: 'signer_id', foreignKeyConstraintName: 'fk_relayers_signer' })
  signer?: SignerEntity;

  @Column('varchar', { name: 'notification_id', length: 36, nullable: true })
  notificationId!: string | null;

  @ManyToOne(() => NotificationEntity, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT' })
  @JoinColumn({ name: 'notification_id', foreignKeyConstraintName: 'fk_relayers_notification' })
  notification?: NotificationEntity;

  /** Set through the API. */
  @Column('boolean')
  paused!: boolean;

  /** Set by the health checks. */
  @Column('boolean', { name: 'system_disabled' })
  systemDisabled!: boolean;

  @Column('json', { name: 'disabled_reason', nullable: true })
  disabledReason!: DisabledReason | null;

  /**
   * The JSON of the list, encrypted, because the URLs may contain keys of providers; null if the relayer uses the
   * network's URLs.
   */
  @Column('text', { name: 'custom_rpc_urls', nullable: true })
  customRpcUrls!: string | null;

  /** The members that are set; amounts as {@link JsonInteger}. */
  @Column('json')
  policies!: Record<string, unknown>;

  /**
   * When the relayer is due for its next check; null for immediately. A check sets this first, so it also serves as a
   * fence: the result of a check that began with another value is discarded.
   */
  @Column('datetime', { name: 'next_check_at', precision: 6, nullable: true })
  nextCheckAt!: Date | null;

  /** The number of consecutive failed checks. A relayer that has never passed one starts with 1. */
  @Column('int', { name: 'failed_checks', default: 0 })
  failedChecks!: number;

  /** Whether the last balance that was read is below `policies.low_balance`. */
  @Column('boolean', { name: 'low_balance', default: false })
  lowBalance!: boolean;

  /** See `RevisedRows`. */
  @Column('int', { nullable: true })
  revision!: number | null;
}

/** The protected columns determine what is signed, by whom and for whom, and where it is sent. */
export const RELAYER_PROTECTION: ProtectedTable<RelayerEntity> = {
  table: 'relayers',
  columns: {
    id: 'protected',
    name: 'protected',
    group: 'protected',
    network: 'protected',
    networkType: 'protected',
    address: 'protected',
    chainId: 'protected',
    signerId: 'protected',
    notificationId: 'protected',
    paused: 'protected',
    customRpcUrls: 'protected',
    policies: 'protected',
    revision: 'protected',
    systemDisabled: 'unprotected',
    disabledReason: 'unprotected',
    nextCheckAt: 'unprotected',
    failedChecks: 'unprotected',
    lowBalance: 'unprotected',
    createdAt: 'unprotected',
  },
};

/** The columns required to act on behalf of a relayer. */
export const ACTING_PROPERTIES = [
  'id',
  'group',
  'network',
  'networkType',
  'address',
  'chainId',
  'signerId',
  'notificationId',
  'paused',
  'systemDisabled',
  'disabledReason',
  'customRpcUrls',
  'policies',
] as const satisfies (keyof RelayerEntity)[];

/** A relayer with the columns in {@link ACTING_PROPERTIES}. */
export type ActingRelayer = Readonly<Pick<RelayerEntity, (typeof ACTING_PROPERTIES)[number]>>;
