import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A schema, a parameter or a response of the document. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read arbitrary members
export type Json = Record<string, any>;

interface Document {
  info: Json;
  servers: Json[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Json>>;
  components: Record<
    'schemas' | 'parameters' | 'responses' | 'headers' | 'securitySchemes',
    Record<string, Json>
  >;
}

/** The file that is generated from the service; `.ci/run` fails if the two differ. */
export const document = JSON.parse(
  readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8'),
) as Document;

/** Every operation with its method and path, such as `GET /api/v1/relayers`. */
export const operations: [string, Json][] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]): [string, Json] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);

/** Resolves a reference; any other value is returned unchanged. */
export function resolved(value: Json): Json {
  if (typeof value.$ref !== 'string') return value;
  const [section, name] = value.$ref.replace('#/components/', '').split('/') as [
    keyof Document['components'],
    string,
  ];
  return document.components[section][name]!;
}
