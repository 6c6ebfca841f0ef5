import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { integerColumn } from '../database/integer-column';
import type { Changes } from './changed-fields';

export type AuditOutcome = 'success' | 'failure';

/** One signature, transaction, change or refusal. Rows are inserted and purged, never updated. */
@Entity('audit_events', { withoutRowid: true })
@Index('ix_audit_events_at', ['at', 'chain', 'sequence'])
@Index('ix_audit_events_action', ['action', 'at', 'chain', 'sequence'])
@Index('ix_audit_events_relayer_id', ['relayerId', 'at', 'chain', 'sequence'])
@Index('ix_audit_events_key_id', ['keyId', 'at', 'chain', 'sequence'])
export class AuditEventEntity {
  /** The number of the chain. */
  @PrimaryColumn('int')
  chain!: number;

  /** The position in the chain, from 1, without gaps. */
  @PrimaryColumn('bigint', { transformer: integerColumn })
  sequence!: number;

  /** When the row was written; the same for all rows that were written together. */
  @Column('datetime', { precision: 6 })
  at!: Date;

  /** See `AuditCaller`. */
  @Column('varchar', { name: 'key_id', length: 36, nullable: true })
  keyId!: string | null;

  @Column('varchar', { length: 64 })
  action!: string;

  @Column('varchar', { name: 'relayer_id', length: 36, nullable: true })
  relayerId!: string | null;

  @Column('varchar', { name: 'signer_id', length: 36, nullable: true })
  signerId!: string | null;

  @Column('varchar', { name: 'request_id', length: 128, nullable: true })
  requestId!: string | null;

  @Column('varchar', { name: 'client_ip', length: 64, nullable: true })
  clientIp!: string | null;

  @Column('varchar', { length: 8 })
  outcome!: AuditOutcome;

  @Column('varchar', { length: 64, nullable: true })
  code!: string | null;

  /** Hex, without `0x`. */
  @Column('varchar', { length: 64, nullable: true })
  digest!: string | null;

  @Column('varchar', { length: 32, nullable: true })
  form!: string | null;

  @Column('json', { nullable: true })
  changes!: Changes | null;

  /** The hash of this row and the previous one, see `hashOf`. */
  @Column('varchar', { length: 64 })
  hash!: string;
}
