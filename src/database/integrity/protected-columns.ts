import type { EntityMetadata } from 'typeorm';
import { canonicalJson } from '../../secrets/canonical-json';
import type { ProtectedTable } from '../../secrets/row-macs';

/** A row with a MAC. */
export interface ProtectedRow {
  id: string;
  mac: string | null;
}

/** The part of a row that its MAC covers. */
export class ProtectedColumns {
  /** The names of the entity's properties that the MAC covers, including `mac` itself. */
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
   * The table and its protected columns with their values, in unambiguous JSON. It uses the values of the entity, so it
   * does not depend on how a database stores JSON, booleans or dates. Null columns are omitted, so that adding a
   * nullable column does not change any MAC.
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
