import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A built-in network that this database was given once; it is not given again after somebody deleted it. */
@Entity('network_seeds')
export class NetworkSeedEntity {
  /** Id of the network. */
  @PrimaryColumn('varchar', { length: 80 })
  id!: string;

  @Column('datetime', { name: 'created_at', precision: 6 })
  createdAt!: Date;
}
