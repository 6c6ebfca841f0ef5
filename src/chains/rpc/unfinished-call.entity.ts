import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A call to an RPC endpoint that has begun and, as far as is known, not completed: a process that ends in it leaves the row. */
@Entity('rpc_unfinished_calls')
export class UnfinishedCallEntity {
  /** Scheme, host and port of the endpoint; its path may carry a provider's key. */
  @PrimaryColumn('varchar', { length: 300 })
  origin!: string;

  /** Calls that were begun and not completed, one after the other. */
  @Column('int')
  attempts!: number;

  /** When the last of them began; also identifies the process whose row it is. */
  @Column('datetime', { name: 'started_at', precision: 6 })
  startedAt!: Date;
}
