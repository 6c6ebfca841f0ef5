import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The id of the only row. */
export const FREEZE_ID = 'signing';

/**
 * An SQL expression for the reason of the freeze, or null. It is part of the lookup that reads a relayer for signing,
 * which thus reads the state of the same moment, at the cost of one value.
 */
export const FREEZE_REASON_SQL = `(SELECT reason FROM signing_freeze WHERE id = '${FREEZE_ID}')`;

/** While there is a row, signing is frozen on every instance. */
@Entity('signing_freeze')
export class SigningFreezeEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  /** The reason in the request that froze signing; shown to callers. */
  @Column('varchar', { length: 255 })
  reason!: string;

  @Column('datetime', { name: 'frozen_at', precision: 6 })
  frozenAt!: Date;

  /** How often signing was frozen again since then. A pending request to unfreeze is void once it has changed. */
  @Column('int', { name: 'frozen_again', default: 0 })
  frozenAgain!: number;
}
