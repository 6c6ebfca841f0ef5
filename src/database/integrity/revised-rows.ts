import type { ListCursor } from '../../common/pagination/list-cursor';
import type { ProtectedRow } from './protected-columns';
import { ProtectedRows } from './protected-rows';

/** A row that counts the changes of its protected columns, the revision itself being one of them. */
export interface RevisedRow extends ProtectedRow, ListCursor {
  /** Null before the first change. */
  revision: number | null;
}

export const nextRevision = ({ revision }: Pick<RevisedRow, 'revision'>): number => (revision ?? 0) + 1;

/**
 * Protected rows with a revision, so that no change leads back to an earlier state: what was approved for that is not
 * approved any more.
 */
export class RevisedRows<T extends RevisedRow> extends ProtectedRows<T> {
  /** Writing the same values again, or only unprotected ones, is no change. */
  override updateUnchanged(row: Readonly<T>, changes: Partial<Omit<T, 'id' | 'mac'>>): Promise<T | null> {
    const isAltered = this.isAlteredBy(changes as Partial<T>, row);
    return super.updateUnchanged(row, isAltered ? { ...changes, revision: nextRevision(row) } : changes);
  }
}
