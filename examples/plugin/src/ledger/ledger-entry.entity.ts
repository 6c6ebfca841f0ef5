import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A statement that a relayer has signed. */
@Entity('acme_ledger_entries')
export class LedgerEntryEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  /** A relayer with entries cannot be deleted, see the migration. */
  @Column('varchar', { name: 'relayer_id', length: 36 })
  relayerId!: string;

  @Column('varchar', { length: 255 })
  statement!: string;

  /** r, s and v as 130 hex digits. */
  @Column('varchar', { length: 130 })
  signature!: string;

  @Column('datetime', { name: 'created_at', precision: 6 })
  createdAt!: Date;
}
