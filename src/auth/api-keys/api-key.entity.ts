import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { ProtectedEntity } from '../../database/integrity/protected-entity';
import type { GrantedScope } from '../../access/scopes';
import type { ProtectedTable } from '../../secrets/row-macs';

/** A client's key. A revoked key is kept, because the audit log refers to it, but no longer shown. */
@Entity('api_keys')
@Index('ix_api_keys_created_at', ['createdAt', 'id'])
export class ApiKeyEntity extends ProtectedEntity {
  /** Part of the key's text, so that the row can be found without the secret. */
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  @Column('varchar', { length: 255 })
  name!: string;

  /** SHA-256 of the whole key, in hex; null if requests are signed and verified with {@link publicKey} instead. */
  @Column('varchar', { name: 'secret_hash', length: 64, nullable: true })
  secretHash!: string | null;

  /** The hash before the last rotation, valid until `previousValidUntil`. */
  @Column('varchar', { name: 'previous_secret_hash', length: 64, nullable: true })
  previousSecretHash!: string | null;

  @Column('datetime', { name: 'previous_valid_until', precision: 6, nullable: true })
  previousValidUntil!: Date | null;

  /** SPKI in PEM: Ed25519 or P-256. */
  @Column('text', { name: 'public_key', nullable: true })
  publicKey!: string | null;

  @Column('json')
  scopes!: GrantedScope[];

  /** Ids of the relayers that the key reaches; if both this and `groups` are null, it reaches all relayers. */
  @Column('json', { nullable: true })
  relayers!: string[] | null;

  /** `groups` is a reserved word in MySQL. */
  @Column('json', { name: 'relayer_groups', nullable: true })
  groups!: string[] | null;

  /** CIDR ranges of the clients that may use the key; null for any. */
  @Column('json', { name: 'allowed_ips', nullable: true })
  allowedIps!: string[] | null;

  /** Replaces the general rate limit. */
  @Column('json', { name: 'rate_limit', nullable: true })
  rateLimit!: { requestsPerSecond: number; burstSize: number } | null;

  @Column('datetime', { name: 'expires_at', precision: 6, nullable: true })
  expiresAt!: Date | null;

  /** The principal that created the key; `shell` for the command. */
  @Column('varchar', { name: 'created_by', length: 36 })
  createdBy!: string;

  /** Accurate to the minute. */
  @Column('datetime', { name: 'last_used_at', precision: 6, nullable: true })
  lastUsedAt!: Date | null;

  @Column('datetime', { name: 'revoked_at', precision: 6, nullable: true })
  revokedAt!: Date | null;

  /** See `RevisedRows`. */
  @Column('int', { nullable: true })
  revision!: number | null;
}

/** Every column that determines who may do what is protected. */
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
    revision: 'protected',
    createdAt: 'unprotected',
  },
};
