import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A call to an RPC endpoint that has begun and has not completed. If the process ends during the call, the row remains.
 */
@Entity('rpc_unfinished_calls')
export class UnfinishedCallEntity {
  /** Scheme, host and port of the endpoint; its path may carry a provider's key. */
  @PrimaryColumn('varchar', { length: 300 })
  origin!: string;

  /** The number of consecutive calls that did not complete. */
  @Column('int')
  attempts!: number;

  /** When the last of these calls began. It also identifies the process that wrote the row. */
  @Column('datetime', { name: 'started_at', precision: 6 })
  startedAt!: Date;
}
