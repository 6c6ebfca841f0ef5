import type { TableColumnOptions } from 'typeorm';
import { AddColumnsMigration } from './create-table';

/** Counts how often signing was frozen again, so that an earlier approval to unfreeze does not apply. */
export class AddFreezeRepeats1795000063000 extends AddColumnsMigration {
  readonly table = 'signing_freeze';
  /** The default keeps statements that freeze by hand valid. */
  readonly columns: TableColumnOptions[] = [{ name: 'frozen_again', type: 'integer', default: 0 }];
}
