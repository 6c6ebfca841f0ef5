import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';

/**
 * Moves every schema with a title into the components, under its title, so that generated clients have one model for
 * it. Titles in the document have no other purpose.
 *
 * @throws Error if two different schemas have the same title
 */
export function nameSchemas(document: OpenAPIObject): void {
  const schemas = (document.components ??= {}).schemas ?? {};
  document.components.schemas = schemas;
  const components = schemas as Record<string, unknown>;
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown): unknown => moved(item));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value as Record<string, unknown>).map(([key, member]) => [
      key,
      isData(key) ? member : moved(member),
    ]);
    const { title, ...schema } = Object.fromEntries(members) as { title?: unknown };
    if (typeof title !== 'string') return Object.fromEntries(members) as object;
    const known = components[title];
    if (known !== undefined && !isDeepStrictEqual(known, schema))
      throw new Error(`Two schemas of the OpenAPI document have the title ${title}`);
    components[title] = schema;
    return { $ref: `#/components/schemas/${title}` };
  };
  document.paths = moved(document.paths) as OpenAPIObject['paths'];
  for (const [name, schema] of Object.entries(components)) components[name] = moved(schema);
}

/** Members whose content is data rather than part of the document's structure. */
const isData = (key: string): boolean => key === 'example' || key === 'enum' || key === 'default';
