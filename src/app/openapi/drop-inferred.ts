import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations';

const INFERRED = ['type', 'enum', 'items', 'additionalProperties', 'nullable'];

/**
 * The compiler plugin of @nestjs/swagger adds a schema inferred from TypeScript types to the one in a decorator. This
 * removes the inferred schema if the decorator refers to a schema or lists the values itself.
 */
export function dropInferred(document: OpenAPIObject): void {
  const drop = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const schema = value as Record<string, unknown>;
    const combines = ['oneOf', 'anyOf'].some((key) => Array.isArray(schema[key]));
    if (combines) delete schema.allOf;
    if (combines || Array.isArray(schema.allOf))
      for (const key of INFERRED) Reflect.deleteProperty(schema, key);
    if (['x-extensible-enum', 'pattern', 'minimum'].some((key) => key in schema)) delete schema.enum;
    Object.entries(schema).forEach(([key, member]) => {
      if (key !== 'example') drop(member);
    });
  };
  for (const { parameters = [] } of operationsOf(document)) parameters.forEach(referToSchema);
  drop(document.components?.schemas);
  drop(document.paths);
}

/** For query parameters, the library puts the reference next to the schema instead of inside it. */
function referToSchema(parameter: object): void {
  if (!('allOf' in parameter)) return;
  const { allOf } = parameter;
  delete parameter.allOf;
  Object.assign(parameter, { schema: { allOf } });
}
