import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A statement that is signed and booked later, in the background. */
@Entity('acme_ledger_drafts')
export class DraftEntity {
  /** Also the id of the entry. */
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  @Column('varchar', { name: 'relayer_id', length: 36 })
  relayerId!: string;

  @Column('varchar', { length: 255 })
  statement!: string;

  /** When to book it, or the end of the lease of the instance that is doing so. */
  @Column('datetime', { name: 'due_at', precision: 6 })
  dueAt!: Date;
}
