import type { EntityMetadata } from 'typeorm';
import { canonicalJson } from '../../secrets/canonical-json';
import type { ProtectedTable } from '../../secrets/row-macs';

/** A row that carries a MAC. */
export interface ProtectedRow {
  id: string;
  mac: string | null;
}

/** What of a row its MAC vouches for. */
export class ProtectedColumns {
  /** Names of the entity's properties that the MAC covers, and its own. */
  readonly properties: readonly string[];
  private readonly fields: readonly { property: string; label: string }[];

  constructor(
    metadata: EntityMetadata,
    readonly declared: ProtectedTable,
  ) {
    this.fields = metadata.columns
      .filter(({ propertyName }) => declared.columns[propertyName] === 'protected')
      .map(({ propertyName, databaseName }) => ({
        property: propertyName,
        label: JSON.stringify(databaseName),
      }))
      .sort((a, b) => (a.label < b.label ? -1 : 1));
    this.properties = [...this.fields.map(({ property }) => property), 'mac'];
  }

  /**
   * The table and its protected columns with their values, in JSON: no two rows give the same text. It is of the values as the
   * service uses them, so it does not matter how a database writes JSON, booleans or dates. Columns that are null are left
   * out: a new column that is null everywhere leaves MACs as they are.
   */
  contentOf(row: object): string {
    const values = row as Readonly<Record<string, unknown>>;
    let content = `[${JSON.stringify(this.declared.table)}`;
    for (const { property, label } of this.fields) {
      const value = values[property];
      if (value !== null && value !== undefined) content += `,[${label},${canonicalJson(value)}]`;
    }
    return `${content}]`;
  }
}
