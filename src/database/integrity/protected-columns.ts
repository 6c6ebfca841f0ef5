import { isDeepStrictEqual } from 'node:util';
import type { EntityMetadata } from 'typeorm';
import { canonicalJson } from '../../secrets/canonical-json';
import { macFormatOf, type MacFormat, type ProtectedTable } from '../../secrets/row-macs';

/** A row with a MAC. */
export interface ProtectedRow {
  id: string;
  mac: string | null;
}

/** The part of a row that its MAC covers. */
export class ProtectedColumns {
  /** The names of the entity's properties that the MAC covers, including `mac` itself. */
  readonly properties: readonly string[];
  private readonly fields: readonly { property: string; label: string; since: MacFormat }[];
  private readonly format: MacFormat;

  constructor(
    metadata: EntityMetadata,
    readonly declared: ProtectedTable,
  ) {
    this.fields = metadata.columns
      .filter(({ propertyName }) => (declared.columns[propertyName] ?? 'unprotected') !== 'unprotected')
      .map(({ propertyName, databaseName }) => ({
        property: propertyName,
        label: JSON.stringify(databaseName),
        since: declared.columns[propertyName] === 'protected' ? ('m1' as const) : ('m2' as const),
      }))
      .sort((a, b) => (a.label < b.label ? -1 : 1));
    this.format = macFormatOf(declared);
    this.properties = [...this.fields.map(({ property }) => property), 'mac'];
  }

  /**
   * The table and its protected columns with their values, in unambiguous JSON. It uses the values of the entity, so it
   * does not depend on how a database stores JSON, booleans or dates. Null columns are omitted, so that adding a
   * nullable column does not change any MAC. The format is part of the content, so that a MAC of one format is none of
   * another.
   *
   * @param mac the MAC to compare with; without it, the content is that of a new MAC
   */
  contentOf(row: object, mac: string | null = null): string {
    const values = row as Readonly<Record<string, unknown>>;
    const format = mac?.startsWith('m1.') === true ? 'm1' : this.format;
    let content = `[${JSON.stringify(this.declared.table)}`;
    if (format !== 'm1') content += `,"${format}"`;
    for (const { property, label, since } of this.fields) {
      if (since > format) continue;
      const value = values[property];
      if (value !== null && value !== undefined) content += `,[${label},${canonicalJson(value)}]`;
    }
    return `${content}]`;
  }

  /** Whether changes of a row alter that content. Compares only what changes, because policies may be large. */
  alteredBy(changes: object, row: object): boolean {
    const [before, after] = [row, changes] as Readonly<Record<string, unknown>>[];
    return this.fields.some(
      ({ property }) =>
        property in changes && !isDeepStrictEqual(after?.[property] ?? null, before?.[property] ?? null),
    );
  }
}
