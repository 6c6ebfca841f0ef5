import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A built-in network that was added to this database once; it is not added again after a deletion. */
@Entity('network_seeds')
export class NetworkSeedEntity {
  /** The id of the network. */
  @PrimaryColumn('varchar', { length: 80 })
  id!: string;

  @Column('datetime', { name: 'created_at', precision: 6 })
  createdAt!: Date;
}
