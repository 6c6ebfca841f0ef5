import type { StoredContent } from '../headless/headless.module';
import { ENTITIES } from './entities';
import { PROTECTED_TABLES } from './protected-tables';
import { SEALED_COLUMNS } from './sealed-columns';

/** Everything that the service itself stores, excluding plugins. */
export const STORED_CONTENT: StoredContent = {
  entities: ENTITIES,
  sealedColumns: SEALED_COLUMNS,
  protectedTables: PROTECTED_TABLES,
};
