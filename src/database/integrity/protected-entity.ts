import { Column } from 'typeorm';

/** The columns that every protected table has, besides its key. */
export abstract class ProtectedEntity {
  /** Proves that the service wrote the protected columns; see `RowMacs`. */
  @Column('varchar', { length: 80, nullable: true })
  mac!: string | null;

  @Column('datetime', { name: 'created_at', precision: 6 })
  createdAt!: Date;
}
