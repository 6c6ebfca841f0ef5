// Writes src/schema.ts from the OpenAPI document of the service: `npm run client:types`.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const DOCUMENT = new URL('../docs/openapi.json', import.meta.url);
const SCHEMA = new URL('./src/schema.ts', import.meta.url);

const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
// Failures have one form, which errors.ts reads: repeated for each route they would be most of the file.
for (const operations of Object.values(document.paths))
  for (const operation of Object.values(operations))
    for (const status of Object.keys(operation.responses ?? {}))
      if (!status.startsWith('2')) delete operation.responses[status];

// A field with a default may be left out of a request.
const types = await openapiTS(document, { immutable: true, defaultNonNullable: false });
// Plugins add events and scopes of their own, whose names begin with that of the plugin and a dot.
const open = astToString(types).replace(
  /(readonly (?:NotificationEvent|Scope): [^;]+);/g,
  '$1 | `${string}.${string}`;',
);
writeFileSync(
  SCHEMA,
  `// Generated from docs/openapi.json by \`npm run client:types\`; do not edit.\n\n${open}`,
);
