import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import type { HttpResponse } from './http';

type Json = Record<string, unknown>;

interface DocumentedResponse {
  content?: Record<string, { schema: Json }>;
}

interface Operation {
  responses: Record<string, DocumentedResponse | { $ref: string }>;
}

const FILE = join(__dirname, '../../docs/openapi.json');
const document = JSON.parse(readFileSync(FILE, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; responses: Record<string, DocumentedResponse> };
};

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema({ $id: 'openapi', components: closed(document.components) });
const validators = new Map<string, ValidateFunction>();

/**
 * The ways in which a response does not conform to the OpenAPI document: an undocumented status, an additional field, a
 * type. Routes that are not in the document are ignored.
 */
export function departures(method: string, path: string, result: HttpResponse): string[] {
  const template = Object.keys(document.paths).find((candidate) => matches(candidate, path));
  const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
  if (template === undefined || operation === undefined) return [];
  const place = `${method} ${template} ${result.status}`;
  const response = resolved(operation.responses[String(result.status)]);
  if (!response) return [`${place} is not documented`];
  const schema = response.content?.['application/json']?.schema;
  if (!schema || result.body === undefined) return [];
  const validate = validatorOf(place, schema);
  return validate(result.body) ? [] : [`${place}: ${ajv.errorsText(validate.errors)}`];
}

function resolved(response: Operation['responses'][string] | undefined): DocumentedResponse | undefined {
  if (!response || !('$ref' in response)) return response;
  return document.components.responses[response.$ref.replace('#/components/responses/', '')];
}

function matches(template: string, path: string): boolean {
  const pattern = template.replace(/\{[^}]+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(path.split('?')[0] ?? '');
}

function validatorOf(place: string, schema: Json): ValidateFunction {
  const known = validators.get(place);
  if (known) return known;
  const validate = ajv.compile(closed(schema) as Json);
  validators.set(place, validate);
  return validate;
}

/** Closes the document's schemas, which are open: a response must not have fields that they do not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Json = {};
  for (const [key, value] of Object.entries(schema)) copy[key] = reference(key, value);
  if ('properties' in copy && !('additionalProperties' in copy)) copy.additionalProperties = false;
  return copy;
}

function reference(key: string, value: unknown): unknown {
  if (key === '$ref' && typeof value === 'string') return value.replace('#/', 'openapi#/');
  return key === 'example' || key === 'enum' ? value : closed(value);
}
