import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { GrantedScope } from '../../access/scopes';
import type { ProtectedTable } from '../../secrets/row-macs';

/** A key of a client. A revoked key stays, because the audit log names it, but is no longer shown. */
@Entity('api_keys')
@Index('ix_api_keys_created_at', ['createdAt', 'id'])
export class ApiKeyEntity {
  /** Part of the key itself, so that the row is found without a secret. */
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  @Column('varchar', { length: 255 })
  name!: string;

  /** SHA-256 of the whole key, in hex; null where requests are signed by {@link publicKey} instead. */
  @Column('varchar', { name: 'secret_hash', length: 64, nullable: true })
  secretHash!: string | null;

  /** The hash before the last rotation, which is valid until `previousValidUntil`. */
  @Column('varchar', { name: 'previous_secret_hash', length: 64, nullable: true })
  previousSecretHash!: string | null;

  @Column('datetime', { name: 'previous_valid_until', precision: 6, nullable: true })
  previousValidUntil!: Date | null;

  /** SPKI as PEM: Ed25519 or P-256. */
  @Column('text', { name: 'public_key', nullable: true })
  publicKey!: string | null;

  @Column('json')
  scopes!: GrantedScope[];

  /** Ids of the relayers that the key reaches; null together with `groups` for all relayers. */
  @Column('json', { nullable: true })
  relayers!: string[] | null;

  /** `groups` is a word of MySQL. */
  @Column('json', { name: 'relayer_groups', nullable: true })
  groups!: string[] | null;

  /** CIDR ranges of the clients that may use the key; null for any. */
  @Column('json', { name: 'allowed_ips', nullable: true })
  allowedIps!: string[] | null;

  /** Replaces the general limit. */
  @Column('json', { name: 'rate_limit', nullable: true })
  rateLimit!: { requestsPerSecond: number; burstSize: number } | null;

  @Column('datetime', { name: 'expires_at', precision: 6, nullable: true })
  expiresAt!: Date | null;

  /** The principal that created it; `shell` for the command. */
  @Column('varchar', { name: 'created_by', length: 36 })
  createdBy!: string;

  /** To the minute. */
  @Column('datetime', { name: 'last_used_at', precision: 6, nullable: true })
  lastUsedAt!: Date | null;

  @Column('datetime', { name: 'revoked_at', precision: 6, nullable: true })
  revokedAt!: Date | null;

  /** Proves that the protected columns are as the service wrote them; see `RowMacs`. */
  @Column('varchar', { length: 80, nullable: true })
  mac!: string | null;

  @Column('datetime', { name: 'created_at', precision: 6 })
  createdAt!: Date;
}

/** All that decides who may do what. */
export const API_KEY_PROTECTION: ProtectedTable<ApiKeyEntity> = {
  table: 'api_keys',
  columns: {
    id: 'protected',
    name: 'protected',
    secretHash: 'protected',
    previousSecretHash: 'protected',
    previousValidUntil: 'protected',
    publicKey: 'protected',
    scopes: 'protected',
    relayers: 'protected',
    groups: 'protected',
    allowedIps: 'protected',
    rateLimit: 'protected',
    expiresAt: 'protected',
    createdBy: 'protected',
    lastUsedAt: 'unprotected',
    revokedAt: 'protected',
    createdAt: 'unprotected',
  },
};
