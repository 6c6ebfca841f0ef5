import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The one id that a row can have. */
export const FREEZE_ID = 'signing';

/**
 * Reads why signing is frozen, or null, as part of another statement: whoever reads a row to sign with it knows the state
 * of the same moment, at the cost of one value.
 */
export const FREEZE_REASON_SQL = `(SELECT reason FROM signing_freeze WHERE id = '${FREEZE_ID}')`;

/** Signing is frozen, on every instance, as long as there is a row. */
@Entity('signing_freeze')
export class SigningFreezeEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  /** Given by whoever froze it; shown to callers. */
  @Column('varchar', { length: 255 })
  reason!: string;

  @Column('datetime', { name: 'frozen_at', precision: 6 })
  frozenAt!: Date;
}
