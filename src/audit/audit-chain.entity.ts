import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { ProtectedEntity } from '../database/integrity/protected-entity';
import { integerColumn } from '../database/integer-column';
import type { ProtectedTable } from '../secrets/row-macs';

/** The id of the register row. Its sequence is the number of the newest chain, so that a missing chain is noticed. */
export const REGISTER_ID = '0';

/**
 * The head of a chain of audit events. Its MAC signs the newest row, and with it all earlier rows, so that a removed
 * tail is noticed. The head is updated in the transaction of each row, and is kept when the rows are purged.
 */
@Entity('audit_chains')
@Index('ix_audit_chains_export_at', ['exportAt'])
@Index('ix_audit_chains_created_at', ['createdAt', 'id'])
export class AuditChainEntity extends ProtectedEntity {
  /** The number of the chain, in decimal, from 1. */
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  /** The process that writes the chain, and the day (UTC). */
  @Column('varchar', { length: 128 })
  name!: string;

  /** The sequence of the newest row, which is also the number of rows written. */
  @Column('bigint', { transformer: integerColumn })
  sequence!: number;

  /** The hash of the newest row. */
  @Column('varchar', { length: 64 })
  hash!: string;

  /** When the purge of the chain's rows began. */
  @Column('datetime', { name: 'pruned_at', precision: 6, nullable: true })
  prunedAt!: Date | null;

  /** The last row that the sink has received. */
  @Column('bigint', { transformer: integerColumn, default: 0 })
  exported!: number;

  /** When the next rows are due for export; null if there are none. */
  @Column('datetime', { name: 'export_at', precision: 6, nullable: true })
  exportAt!: Date | null;
}

/**
 * The protected columns prove that no row is missing. Altering the others delays, repeats or prevents exports, which is
 * visible in the sink as a gap.
 */
export const AUDIT_CHAIN_PROTECTION: ProtectedTable<AuditChainEntity> = {
  table: 'audit_chains',
  columns: {
    id: 'protected',
    name: 'protected',
    sequence: 'protected',
    hash: 'protected',
    prunedAt: 'protected',
    createdAt: 'protected',
    exported: 'unprotected',
    exportAt: 'unprotected',
  },
};
